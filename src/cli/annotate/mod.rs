//! `lovec annotate`: games with marks, scores and better lines.

mod args;
mod games;
mod summary;

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result, anyhow};
use serde_json::{Map, Value};

use crate::annotate::annotated_game::{AnnotationReport, EngineName};
use crate::annotate::pgn_notes::{self, NoteOptions};
use crate::annotate::player;
use crate::annotate::report::{self, ReportContext};
use crate::annotate::{
    self, AnnotateError, AnnotateEvent, AnnotateJob, AnnotateOptions, AnnotatedGame,
    EarlierSearches, FinishedItem, SearchProgress, SearchedGame,
};
use crate::chess::notation::pgn::PgnGame;
use crate::cli::annotate::games::{GameFiles, GameTotals, text_of};
use crate::cli::annotate::summary::GameSums;
use crate::cli::json;
use crate::cli::outputs::{ForceArg, OutputPath, PreparedOutput, not_written};
use crate::cli::progress::{self, ProgressLine};
use crate::cli::{CommandStatus, Interrupt};
use crate::datagen;
use crate::search::Stop;
use crate::util::counted::counted;
use crate::util::output_file::OutputParts;
use crate::util::state_file::progress_path;

pub use args::Args;

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    // An engine that hangs when it starts is ended by Ctrl-C as well.
    let interrupt = Interrupt::catch()?;
    let interrupted = || Ok(interrupt.status(CommandStatus::Passed));
    let options = match args.options(&|| interrupt.is_raised()) {
        Err(_) if interrupt.is_raised() => return interrupted(),
        options => options?,
    };
    let games = GameFiles::new(args, &options)?;
    let outputs = AnnotateOutputs::prepare(args)?;
    let counts = if games.can_be_read_again() {
        let Some(counts) = games.count(&interrupt)? else { return interrupted() };
        Some(counts)
    } else {
        None
    };
    let settings = options.to_json(datagen::signature()?);
    let path = progress_path(&args.output);
    let opened = {
        let (path, settings, force) = (path.clone(), settings.clone(), args.force);
        interrupt.wait_for("progress reader", move || SearchProgress::open(&path, &settings, force))
    };
    let Some(opened) = opened? else { return interrupted() };
    let (mut progress, earlier) = opened?;
    let start = Instant::now();
    let run = AnnotateRun { args, options: &options, settings, interrupt: &interrupt };
    let annotated = run.annotate(&games, counts.as_ref(), &outputs, earlier, &mut progress);
    let goes_on = progress.has_searches().then(|| how_to_go_on(&path));
    let annotated = match annotated {
        Ok(annotated) if annotated.is_complete => annotated,
        unfinished => {
            if goes_on.is_none() {
                progress.remove()?;
            }
            let sums = unfinished.map_err(|error| with_advice(error, goes_on.as_deref()))?.sums;
            sums.write_unfinished(out, counts.map(|counts| counts.selected), start.elapsed())?;
            goes_on.iter().try_for_each(|advice| writeln!(out, "{advice}"))?;
            return interrupted();
        }
    };
    outputs.write(annotated.text, &annotated.reports)?;
    // Before the output, which may fail: the searches have served.
    let removed = progress.remove();
    for ((report, file), text) in outputs.reports.iter().zip(&annotated.reports) {
        let ReportKind::Exercises = report else { continue };
        let path = file.path.display();
        match text.lines().count() {
            0 => {
                writeln!(out, "no exercises in {path}: before no fault was one move clearly best")?
            }
            count => writeln!(out, "{} in {path}", counted(count, "exercise"))?,
        }
    }
    annotated.sums.write(out, start.elapsed(), &args.output)?;
    removed?;
    Ok(CommandStatus::Passed)
}

/// The files to write.
struct AnnotateOutputs {
    pgn: PreparedOutput,
    reports: Vec<(ReportKind, PreparedOutput)>,
}

/// What a file beside the PGN shows of the annotated games.
#[derive(Clone, Copy)]
enum ReportKind {
    Json,
    Html,
    Exercises,
}

impl AnnotateOutputs {
    /// Checks that the files can be written, and that nothing is lost by it.
    fn prepare(args: &Args) -> Result<Self> {
        let force = ForceArg { force: args.force };
        let pgn = PreparedOutput::new(&args.output, force)?;
        let json = args.json.clone().map(|path| (ReportKind::Json, path));
        let html = args.html.clone().map(|path| (ReportKind::Html, path));
        let exercises = args.exercises.clone().map(|path| (ReportKind::Exercises, path));
        let reports = [json, html, exercises].into_iter().flatten();
        let prepare = |(report, path): (ReportKind, OutputPath)| Ok((report, path.prepare(force)?));
        Ok(Self { pgn, reports: reports.map(prepare).collect::<Result<_>>()? })
    }

    /// Writes the PGN and the texts of the reports. They take their names when the disk has all
    /// of them.
    fn write(&self, pgn: OutputParts, reports: &[String]) -> Result<()> {
        let mut staged = vec![(&self.pgn, self.pgn.stage_parts(pgn)?)];
        for ((_, file), text) in self.reports.iter().zip(reports) {
            staged.push((file, file.stage(text)?));
        }
        // All take a name, also if that of one is taken.
        let placed: Vec<_> = staged.into_iter().map(|(file, text)| file.place(text)).collect();
        placed.into_iter().collect()
    }
}

/// How an unfinished run is continued.
fn how_to_go_on(path: &Path) -> String {
    format!("the same command goes on from here; {} has the searches", path.display())
}

/// The error, and what is left after it.
fn with_advice(error: anyhow::Error, advice: Option<&str>) -> anyhow::Error {
    match (error.downcast_ref(), advice) {
        (Some(AnnotateError::Engine(fault)), Some(advice)) => anyhow!("{fault}; {advice}"),
        _ => error,
    }
}

/// What is the same for all games.
struct AnnotateRun<'a> {
    args: &'a Args,
    options: &'a AnnotateOptions,
    /// As they are recorded.
    settings: Map<String, Value>,
    interrupt: &'a Interrupt,
}

/// The games of a run.
struct AnnotatedGames {
    /// As PGN, with the games that are not selected.
    text: OutputParts,
    /// The texts of the other files.
    reports: Vec<String>,
    sums: GameSums,
    is_complete: bool,
}

impl AnnotateRun<'_> {
    /// Searches and annotates the games.
    fn annotate(
        &self,
        games: &GameFiles,
        counts: Option<&GameTotals>,
        outputs: &AnnotateOutputs,
        earlier: EarlierSearches,
        progress: &mut SearchProgress,
    ) -> Result<AnnotatedGames> {
        let &Self { args, options, interrupt, .. } = self;
        let job = AnnotateJob {
            options,
            threads: args.jobs.threads.into(),
            stop: &Arc::clone(&interrupt.stop),
        };
        let notes = args.notes(options);
        let searches = counts.map(|counts| counts.searches.saturating_sub(earlier.count()));
        let mut display = SearchDisplay::new(searches);
        let mut annotated = AnnotatedGames {
            text: outputs.pgn.begin()?,
            reports: Vec::new(),
            sums: GameSums::default(),
            is_complete: false,
        };
        let mut data = Vec::new();
        let inbox = games.start()?;
        let mut is_stopped = false;
        let is_complete = job.run(inbox, earlier, progress, |event| -> Result<()> {
            let text = match event {
                AnnotateEvent::Searched { game, added } => {
                    display.searched(game, added);
                    return Ok(());
                }
                AnnotateEvent::Finished(FinishedItem::Kept(text)) => text,
                AnnotateEvent::Finished(FinishedItem::Game(game, searched)) => {
                    let searched = searched.as_ref();
                    let finished = finish(&game, searched, options, &notes, &interrupt.stop);
                    let Some((game, text)) = finished else {
                        is_stopped = true;
                        return Ok(());
                    };
                    display.finished(&game);
                    annotated.sums.add(&game);
                    if !outputs.reports.is_empty() {
                        data.push(game);
                    }
                    text
                }
            };
            let written = annotated.text.write_all(text.as_bytes());
            written.with_context(|| not_written(&args.output))
        })?;
        display.bar.finish_and_clear();
        if is_complete
            && !is_stopped
            && let Some(reports) = self.reports(&outputs.reports, data)?
        {
            annotated.reports = reports;
            annotated.is_complete = true;
        }
        Ok(annotated)
    }

    /// The texts of the reports; `None` after an interruption.
    fn reports(
        &self,
        files: &[(ReportKind, PreparedOutput)],
        games: Vec<AnnotatedGame>,
    ) -> Result<Option<Vec<String>>> {
        let (args, options, settings) = (self.args, self.options.clone(), self.settings.clone());
        let reports: Vec<ReportKind> = files.iter().map(|(report, _)| *report).collect();
        let line = args.notes(&options).line;
        let write = move || -> Result<Vec<String>> {
            let context = ReportContext { options: &options, line };
            let text = |report| match report {
                ReportKind::Json => json_report(&settings, &games),
                ReportKind::Html => Ok(report::page(&games, &context)),
                ReportKind::Exercises => Ok(annotate::exercises(&games)),
            };
            reports.into_iter().map(text).collect()
        };
        self.interrupt.wait_for("report writer", write)?.transpose()
    }
}

/// Annotates a game; returns it as data and as PGN, or `None` if it was stopped.
fn finish(
    game: &PgnGame,
    searched: Option<&SearchedGame>,
    options: &AnnotateOptions,
    notes: &NoteOptions,
    stop: &Stop,
) -> Option<(AnnotatedGame, String)> {
    let annotated = annotate::annotate(game, searched, options, stop)?;
    let mut written = game.clone();
    if let Err(error) = pgn_notes::write(&mut written, &annotated, notes) {
        log::error!("game {} is written without annotations: {error}", game.number);
        written = game.clone();
    }
    let text = text_of(&written);
    Some((annotated, text))
}

fn json_report(settings: &Map<String, Value>, games: &[AnnotatedGame]) -> Result<String> {
    let report = AnnotationReport {
        engine: EngineName::LOVEC,
        settings,
        players: player::summaries(games),
        games,
    };
    Ok(json::text("lovec.annotate/2", &report)?)
}

/// The progress on the standard error.
struct SearchDisplay {
    bar: ProgressLine,
    faults: [usize; 3],
}

impl SearchDisplay {
    /// A display of this number of searches, if it is known.
    fn new(searches: Option<usize>) -> Self {
        Self { bar: searches.map_or_else(progress::spinner, progress::bar), faults: [0; 3] }
    }

    fn searched(&mut self, game: &PgnGame, added: usize) {
        self.bar.inc_length(added as u64);
        self.bar.inc(1);
        let [white, black] = ["White", "Black"].map(|tag| game.tag(tag).unwrap_or("?"));
        let [inaccuracies, mistakes, blunders] = self.faults;
        self.bar.set_message(format!(
            "game {}  {white} – {black}  ?? {blunders}  ? {mistakes}  ?! {inaccuracies}",
            game.number
        ));
    }

    fn finished(&mut self, game: &AnnotatedGame) {
        for side in [&game.white, &game.black] {
            let counts = [side.all.inaccuracies, side.all.mistakes, side.all.blunders];
            self.faults.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
    }
}
