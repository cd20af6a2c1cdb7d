//! A container image: the program alone, not as root, with a folder for its games and a health check. It is written as
//! `docker save` writes images, which docker, podman and others load; no program of theirs is needed to make it.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::archive::{Archive, Owner, ROOT};
use super::{Release, file_error, hex, tree, write};
use crate::chore::ChoreError;

/// Whom the program runs as.
const USER: Owner = Owner(10001);
/// Where games are kept; a volume.
const DATA: &str = "data";

/// Writes the image into the folder of the release.
pub(super) fn write_all(release: &Release, folder: &Path) -> Result<PathBuf, ChoreError> {
    let layer = layer(release, folder)?;
    let config = serde_json::to_vec(&config(release, &hex(&layer)))?;
    let (config_name, layer_name) = (format!("{}.json", hex(&config)), format!("{}/layer.tar", hex(&layer)));
    let manifest = json!([{
        "Config": config_name,
        "RepoTags": [format!("emilia:{}", release.version), "emilia:latest"],
        "Layers": [layer_name],
    }]);
    let mut image = Archive::new(release.moment);
    image.file(&config_name, 0o644, &config)?;
    image.file(&layer_name, 0o644, &layer)?;
    image.file("manifest.json", 0o644, &serde_json::to_vec(&manifest)?)?;
    let name = format!("emilia-{}-{}-image.tar.gz", release.version, std::env::consts::ARCH);
    let file = release.folder.join(name);
    write(&file, &tree::compressed(&image.finish()?)?)?;
    Ok(file)
}

/// The files in it: the program, what the law wants beside it, and folders to write to.
fn layer(release: &Release, folder: &Path) -> Result<Vec<u8>, ChoreError> {
    let mut layer = Archive::new(release.moment);
    layer.folder(DATA, 0o700, USER)?;
    let Owner(user) = USER;
    let users = format!("root:x:0:0:root:/:\nemilia:x:{user}:{user}:Emilia:/{DATA}:\n");
    layer.file("etc/passwd", 0o644, users.as_bytes())?;
    layer.folder("tmp", 0o1777, ROOT)?;
    let program = folder.join(tree::program());
    layer.file("usr/bin/emilia", 0o755, &fs::read(&program).map_err(|error| file_error(&program, error))?)?;
    layer.tree(&folder.join("share/doc/emilia"), "usr/share/doc/emilia")?;
    layer.finish()
}

/// How it is started. Everybody who reaches the container can connect; docs/install.md says how to let nobody else do so.
fn config(release: &Release, layer: &str) -> serde_json::Value {
    const SECOND: u64 = 1_000_000_000;
    let architecture = match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    };
    let Owner(user) = USER;
    let (program, data) = ("/usr/bin/emilia", format!("/{DATA}"));
    json!({
        "architecture": architecture,
        "os": "linux",
        "config": {
            "User": format!("{user}:{user}"),
            "Entrypoint": [program],
            "Cmd": ["serve", "--addr", "0.0.0.0:8000", "--data", data, "--no-open"],
            "ExposedPorts": { "8000/tcp": {} },
            "Volumes": { data.clone(): {} },
            "WorkingDir": data,
            "Env": [format!("HOME={data}")],
            "Healthcheck": { "Test": ["CMD", program, "health"], "Interval": 30 * SECOND, "Timeout": 10 * SECOND },
            "Labels": {
                "org.opencontainers.image.title": "Emilia",
                "org.opencontainers.image.description": "Othello: play, analyse, learn",
                "org.opencontainers.image.version": release.version,
                "org.opencontainers.image.licenses": "MIT OR Apache-2.0",
            },
        },
        "rootfs": { "type": "layers", "diff_ids": [format!("sha256:{layer}")] },
        "history": [{ "created_by": "cargo xtask dist" }],
    })
}
