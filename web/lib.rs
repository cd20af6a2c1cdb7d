//! The page and its files, inside the program. In debug builds they are read from this folder, so that a change shows
//! when the page is loaded again.
//!
//! The folder is a crate, because a crate that is published takes along what lies in its own folder and nothing else.

pub use rust_embed::EmbeddedFile;
use rust_embed::RustEmbed;

/// Every file that a browser may ask for, by its path.
#[derive(RustEmbed)]
#[folder = "."]
#[include = "index.html"]
#[include = "manifest.webmanifest"]
#[include = "icon*"]
#[include = "css/*"]
#[include = "embed/*"]
#[include = "js/*"]
#[include = "i18n/*"]
#[include = "vendor/*"]
#[include = "sw.js"]
#[exclude = "*.d.ts"]
pub struct Files;
