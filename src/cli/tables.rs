//! Endgame tables on the command line: the same option wherever something is
//! searched.

use std::sync::Arc;

use anyhow::{Result, ensure};

use crate::tablebase::Syzygy;

#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct TableArgs {
    /// Directories with Syzygy tables, separated as in PATH
    #[arg(long, value_name = "DIRS")]
    syzygy: Option<String>,
}

impl TableArgs {
    /// The tables that were asked for. What cannot be used is logged; to find nothing
    /// at all is an error.
    pub fn open(&self) -> Result<Option<Arc<Syzygy>>> {
        let Some(directories) = &self.syzygy else { return Ok(None) };
        let (syzygy, errors) = Syzygy::open(directories);
        errors.iter().for_each(|error| log::warn!("{error}"));
        ensure!(syzygy.files() > 0, "no Syzygy tables in `{directories}`");
        Ok(Some(Arc::new(syzygy)))
    }
}
