//! The site for hosts of files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::common::{Folder, emilia};

/// What stands for an engine here; `cargo xtask web` plays on a real one.
fn engine(folder: &Path) {
    fs::create_dir_all(folder.join("plain")).unwrap();
    fs::create_dir_all(folder.join("weights")).unwrap();
    fs::write(folder.join("plain/emilia.js"), "export default 1;").unwrap();
    fs::write(folder.join("weights/network.bin.gz"), [0x1f, 0x8b, 0, 255]).unwrap();
}

fn words<'w>(site: &'w Path, engine: &'w Path) -> [&'w str; 4] {
    ["site", site.to_str().unwrap(), "--engine", engine.to_str().unwrap()]
}

#[test]
fn every_file_lies_where_the_page_looks_and_is_kept_by_its_content() {
    let folder = Folder::new("site");
    let (site, built) = (folder.0.join("public"), folder.0.join("engine"));
    engine(&built);
    for _ in 0..2 {
        let outcome = emilia(&words(&site, &built), b"");
        assert_eq!((outcome.status, outcome.err.as_str()), (0, ""));
    }
    let index = fs::read_to_string(site.join("index.html")).unwrap();
    assert!(index.contains(r#"<meta name="emilia" content="alone">"#));
    // Nothing is addressed from the root of the host.
    for path in ["index.html", "manifest.webmanifest"] {
        let text = fs::read_to_string(site.join(path)).unwrap();
        assert!(!text.contains("\"/"), "{path}: {text}");
    }
    for quoted in index.split("href=\"").skip(1).chain(index.split("src=\"").skip(1)) {
        let path = quoted.split('"').next().unwrap();
        assert!(site.join(path).is_file(), "{path}");
    }
    let keeper = fs::read_to_string(site.join("sw.js")).unwrap();
    let files = keeper.lines().find_map(|line| line.strip_prefix("const FILES = ")).unwrap();
    let files: BTreeMap<String, String> = serde_json::from_str(files.trim_end_matches(';')).unwrap();
    for needed in ["index.html", "js/main.js", "engine/plain/emilia.js", "engine/weights/network.bin.gz"] {
        assert!(files.contains_key(needed), "{needed}");
    }
    for (path, wanted) in &files {
        let content = fs::read(site.join(path)).unwrap();
        let digest: String = Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(&digest, wanted, "{path}");
    }
    assert!(!keeper.contains("const VERSION = \"\";"));
}

#[test]
fn without_an_engine_and_into_other_peoples_folders_nothing_is_written() {
    let folder = Folder::new("no-site");
    let (site, built) = (folder.0.join("public"), folder.0.join("engine"));
    let outcome = emilia(&words(&site, &built), b"");
    assert_eq!(outcome.status, 1);
    assert!(outcome.err.contains("cargo xtask wasm DIR builds it"), "{}", outcome.err);
    assert!(!site.exists());
    engine(&built);
    fs::create_dir_all(&site).unwrap();
    fs::write(site.join("diary.txt"), "dear diary").unwrap();
    let outcome = emilia(&words(&site, &built), b"");
    assert_eq!(outcome.status, 1);
    assert!(outcome.err.contains("is not empty"), "{}", outcome.err);
    assert_eq!(fs::read_dir(&site).unwrap().count(), 1);
}
