//! The options for endgame tables of all commands that search.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Result, ensure};

use crate::search::Tables;
use crate::tablebase::Syzygy;
use crate::tablebase::egtb::Collection;
use crate::tablebase::egtb::collection::table_files;

#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct TableArgs {
    /// Folders with Syzygy tables, separated as in PATH
    #[arg(long, value_name = "DIRS")]
    syzygy: Option<String>,
    /// Folder with tables of `lovec egtb build`
    #[arg(long, value_name = "DIR")]
    egtb: Option<PathBuf>,
}

impl TableArgs {
    /// Opens the requested tables. An unusable file is logged; finding none is an error.
    pub fn open(&self) -> Result<Tables> {
        let mut tables = Tables::default();
        if let Some(directories) = &self.syzygy {
            let (syzygy, errors) = Syzygy::open(directories);
            errors.iter().for_each(|error| log::warn!("{error}"));
            ensure!(syzygy.files() > 0, "no Syzygy tables in `{directories}`");
            tables.syzygy = Some(Arc::new(syzygy));
        }
        if let Some(folder) = &self.egtb {
            let files = table_files(folder)?;
            ensure!(!files.is_empty(), "no tables of `lovec egtb build` in `{}`", folder.display());
            tables.own = Arc::new(open_files(&files));
        }
        Ok(tables)
    }

    /// The directories of the requested tables; `None` if there are none.
    pub fn names(&self) -> Option<String> {
        let egtb = self.egtb.as_ref().map(|folder| folder.display().to_string());
        let names = [self.syzygy.clone(), egtb].into_iter().flatten();
        names.reduce(|names, name| format!("{names} {name}"))
    }
}

/// The tables of these files, with a warning for each that cannot be used.
pub(super) fn open_files(files: &[PathBuf]) -> Collection {
    let (tables, errors) = Collection::open(files);
    errors.iter().for_each(|error| log::warn!("{error}"));
    tables
}
