//! `lovec annotate`: games with marks, scores and better lines.

mod args;
mod command_line;
mod summary;

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result, anyhow, ensure};

use crate::annotate::annotated_game::{AnnotationReport, EngineName, SCHEMA};
use crate::annotate::pgn_notes::{self, NoteOptions};
use crate::annotate::report::{self, ReportContext};
use crate::annotate::{
    self, AnnotateError, AnnotateEvent, AnnotateJob, AnnotateOptions, AnnotatedGame,
    EarlierSearches, FollowedGame, SearchProgress, SearchTask, SearchedGame,
};
use crate::chess::notation::pgn::{PgnGame, PgnReader};
use crate::cli::game::show_problems;
use crate::cli::interrupt::Interrupt;
use crate::cli::outputs::{ForceArg, ensure_new, not_written};
use crate::cli::status::CommandStatus;
use crate::cli::{progress, source};
use crate::datagen;
use crate::util::output_file::OutputFile;

pub use args::Args;

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    let games = read_games(&args.files)?;
    // An engine that hangs when it starts is ended by Ctrl-C as well.
    let interrupt = Interrupt::catch()?;
    let options = match args.options(&|| interrupt.is_raised()) {
        Err(_) if interrupt.is_raised() => return Ok(interrupt.status(CommandStatus::Passed)),
        options => options?,
    };
    let games = args.shard.part(&games);
    games.iter().for_each(|game| show_problems(game, game.problems()));
    if args.dry_run {
        summary::write_plan(out, games, &options, args.threads.into())?;
        return Ok(CommandStatus::Passed);
    }
    let output = prepare_output(args)?;
    let force = ForceArg { force: args.force };
    let report = args.json.as_ref().map(|path| path.prepare(force)).transpose()?;
    let page = args.html.as_ref().map(|path| path.prepare(force)).transpose()?;
    let exercises = args.exercises()?;
    let exercise_file = exercises.as_ref().map(|(_, path)| path.prepare(force)).transpose()?;
    let signature = datagen::signature()?;
    let path = progress_path(&args.output);
    let (mut progress, earlier) =
        SearchProgress::open(&path, &options.to_json(signature), args.force)?;
    let start = Instant::now();
    let (finished, texts) =
        annotate_all(args, &options, games, earlier, &mut progress, &interrupt)?;
    let is_complete = finished.len() == games.len();
    let not_written = || format!("cannot write {}", args.output.display());
    output.write(texts.concat().as_bytes()).with_context(not_written)?;
    if let Some(report) = report {
        report.write(json_report(&options, signature, &finished)?)?;
    }
    if let Some(file) = page {
        let command = command_line::command_line(args);
        let line = args.notes(&options).line;
        let context = ReportContext { options: &options, line, command: &command };
        file.write(report::page(&finished, &context))?;
    }
    if let (Some((count, path)), Some(file)) = (exercises, exercise_file) {
        let text = annotate::exercises(&finished, count);
        file.write(&text)?;
        writeln!(out, "{} exercises in {}", text.lines().count(), path.display())?;
    }
    summary::write(out, &finished, games.len(), start.elapsed(), &args.output)?;
    if is_complete {
        progress.remove()?;
    } else {
        writeln!(out, "the same command goes on from here; {} has the searches", path.display())?;
    }
    Ok(interrupt.status(CommandStatus::Passed))
}

/// Reads all games; they are numbered through all files.
fn read_games(files: &[PathBuf]) -> Result<Vec<PgnGame>> {
    let mut games: Vec<PgnGame> = Vec::new();
    for path in files {
        let before = games.len() as u64;
        for game in PgnReader::new(source::open(path)?) {
            let mut game = game.with_context(|| format!("cannot read {}", path.display()))?;
            game.renumber(before + game.number());
            games.push(game);
        }
    }
    let names: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
    ensure!(!games.is_empty(), "no games in {}", names.join(", "));
    Ok(games)
}

/// Checks that the output can be written, and that nothing is lost by it.
fn prepare_output(args: &Args) -> Result<OutputFile> {
    let output = &args.output;
    if !SearchProgress::exists(&progress_path(output)) {
        ensure_new(output, ForceArg { force: args.force })?;
    }
    OutputFile::prepare(output).with_context(|| not_written(output))
}

fn progress_path(output: &Path) -> PathBuf {
    let mut name = OsString::from(output);
    name.push(".progress");
    name.into()
}

/// Searches and annotates the games; returns the finished ones, and their PGN.
fn annotate_all(
    args: &Args,
    options: &AnnotateOptions,
    games: &[PgnGame],
    earlier: EarlierSearches,
    progress: &mut SearchProgress,
    interrupt: &Interrupt,
) -> Result<(Vec<AnnotatedGame>, Vec<String>)> {
    let job = AnnotateJob {
        games,
        options,
        threads: args.threads.into(),
        stop: &Arc::clone(&interrupt.stop),
    };
    let notes = args.notes(options);
    let mut display = SearchDisplay::new(games, options, &earlier);
    let (mut finished, mut texts) = (Vec::new(), Vec::new());
    job.run(earlier, progress, |event| match event {
        AnnotateEvent::Searched { task, added, .. } => display.searched(&task, added),
        AnnotateEvent::Finished { index, searched } => {
            let (annotated, text) = finish(&games[index], searched, options, &notes);
            display.finished(&annotated);
            finished.push(annotated);
            texts.push(text);
        }
    })
    .map_err(|error| with_progress(error, &progress_path(&args.output)))?;
    display.bar.finish_and_clear();
    Ok((finished, texts))
}

/// The error, and what is left after it.
fn with_progress(error: AnnotateError, path: &Path) -> anyhow::Error {
    match error {
        AnnotateError::Engine(error) => anyhow!(
            "{error}; the same command goes on from here, {} has the searches",
            path.display()
        ),
        _ => error.into(),
    }
}

/// Annotates a game; returns it as data and as PGN with an empty line behind it.
fn finish(
    game: &PgnGame,
    searched: Option<&SearchedGame>,
    options: &AnnotateOptions,
    notes: &NoteOptions,
) -> (AnnotatedGame, String) {
    let annotated = annotate::annotate(game, searched, options);
    let mut written = game.clone();
    if options.selection.sides(game).contains(&true)
        && let Err(error) = pgn_notes::write(&mut written, &annotated, notes)
    {
        log::error!("game {} is written without annotations: {error}", game.number());
        written = game.clone();
    }
    (annotated, format!("{written}\n"))
}

fn json_report(
    options: &AnnotateOptions,
    signature: u32,
    games: &[AnnotatedGame],
) -> Result<String> {
    let report = AnnotationReport {
        schema: SCHEMA,
        engine: EngineName::LOVEC,
        settings: options.to_json(signature),
        games,
    };
    Ok(serde_json::to_string_pretty(&report)? + "\n")
}

/// The progress on the standard error.
struct SearchDisplay<'a> {
    games: &'a [PgnGame],
    bar: progress::ProgressLine,
    faults: [usize; 3],
}

impl<'a> SearchDisplay<'a> {
    fn new(games: &'a [PgnGame], options: &AnnotateOptions, earlier: &EarlierSearches) -> Self {
        let mut searches = 0;
        for game in games {
            let Some(followed) = FollowedGame::new(game) else { continue };
            if options.selection.sides(game).contains(&true) {
                let all = followed.states().len() - options.first_position(&followed);
                searches += all.saturating_sub(earlier.count(&followed));
            }
        }
        Self { games, bar: progress::bar(searches), faults: [0; 3] }
    }

    fn searched(&mut self, task: &SearchTask, added: usize) {
        self.bar.inc_length(added as u64);
        self.bar.inc(1);
        let game = &self.games[task.game];
        let [white, black] = ["White", "Black"].map(|tag| game.tag(tag).unwrap_or("?"));
        let [inaccuracies, mistakes, blunders] = self.faults;
        self.bar.set_message(format!(
            "game {}/{}  {white} – {black}  ?? {blunders}  ? {mistakes}  ?! {inaccuracies}",
            task.game + 1,
            self.games.len()
        ));
    }

    fn finished(&mut self, game: &AnnotatedGame) {
        for side in [&game.white, &game.black] {
            let counts = [side.all.inaccuracies, side.all.mistakes, side.all.blunders];
            self.faults.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
    }
}
