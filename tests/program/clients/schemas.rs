//! A validator of JSON Schema reads docs/json and results of all commands.

use crate::clients::{run, script};
use crate::folder::folder;
use crate::json::{SCHEMAS, all_results};

#[test]
#[ignore = "needs a Python with the package jsonschema, which LOVEC_PYTHON names"]
fn all_results_are_of_their_forms() {
    let results = all_results();
    let lines: String = results.iter().map(|(_, result)| format!("{result}\n")).collect();
    let folder = folder("results").with("results", lines);
    let ran = run(script("schemas.py").arg(SCHEMAS).arg(folder.join("results")));
    let start = format!("{} results of ", results.len());
    assert!(
        ran.last_line().starts_with(&start) && ran.last_line().ends_with(", 0 wrong"),
        "{ran:?}"
    );
}
