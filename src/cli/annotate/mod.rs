//! `lovec annotate`: games with marks, scores and better lines.

mod args;
mod command_line;
mod games;
mod summary;

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result, anyhow};

use crate::annotate::annotated_game::{AnnotationReport, EngineName, SCHEMA};
use crate::annotate::pgn_notes::{self, NoteOptions};
use crate::annotate::report::{self, ReportContext};
use crate::annotate::{
    self, AnnotateError, AnnotateEvent, AnnotateJob, AnnotateOptions, AnnotatedGame,
    EarlierSearches, SearchProgress, SearchedGame,
};
use crate::chess::notation::pgn::PgnGame;
use crate::cli::annotate::games::{GameFiles, GameTotals, text_of};
use crate::cli::annotate::summary::GameSums;
use crate::cli::interrupt::Interrupt;
use crate::cli::outputs::{ForceArg, OutputPath, PreparedOutput, ensure_new, not_written};
use crate::cli::progress::{self, ProgressLine};
use crate::cli::status::CommandStatus;
use crate::datagen;
use crate::search::Stop;
use crate::util::output_file::{OutputFile, OutputParts};

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
    let outputs = if args.dry_run { None } else { Some(AnnotateOutputs::prepare(args)?) };
    let counts = if args.dry_run || games.can_be_read_again() {
        let Some(counts) = games.count(args.dry_run, &interrupt)? else { return interrupted() };
        Some(counts)
    } else {
        None
    };
    let Some(outputs) = outputs else {
        if let Some(counts) = counts {
            summary::write_plan(out, &counts, &options, args.threads.into())?;
        }
        return Ok(CommandStatus::Passed);
    };
    let signature = datagen::signature()?;
    let path = args.output.progress();
    let (mut progress, earlier) =
        SearchProgress::open(&path, &options.to_json(signature), args.force)?;
    let start = Instant::now();
    let run = AnnotateRun { args, options: &options, interrupt: &interrupt };
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
    let exercises = outputs.write(&run, annotated.text, &annotated.games, signature)?;
    if let Some((count, path)) = exercises {
        writeln!(out, "{count} exercises in {}", path.display())?;
    }
    annotated.sums.write(out, start.elapsed(), &args.output)?;
    progress.remove()?;
    Ok(CommandStatus::Passed)
}

/// The files to write.
struct AnnotateOutputs {
    pgn: OutputFile,
    json: Option<PreparedOutput>,
    html: Option<PreparedOutput>,
    /// With the largest number of exercises.
    exercises: Option<(usize, PreparedOutput)>,
}

impl AnnotateOutputs {
    /// Checks that the files can be written, and that nothing is lost by it.
    fn prepare(args: &Args) -> Result<Self> {
        let force = ForceArg { force: args.force };
        if !SearchProgress::exists(&args.output.progress()) {
            ensure_new(&args.output, force)?;
        }
        let prepare = |path: &OutputPath| path.prepare(force);
        Ok(Self {
            pgn: OutputFile::prepare(&args.output).with_context(|| not_written(&args.output))?,
            json: args.json.as_ref().map(prepare).transpose()?,
            html: args.html.as_ref().map(prepare).transpose()?,
            exercises: match args.exercises()? {
                Some((count, path)) => Some((count, prepare(&path)?)),
                None => None,
            },
        })
    }

    /// Whether a file needs the annotated games as data, after the PGN.
    fn need_games(&self) -> bool {
        self.json.is_some() || self.html.is_some() || self.exercises.is_some()
    }

    /// Writes the files. Returns the number of exercises, and where they are.
    fn write(
        &self,
        run: &AnnotateRun<'_>,
        text: OutputParts<'_>,
        games: &[AnnotatedGame],
        signature: u32,
    ) -> Result<Option<(usize, &Path)>> {
        let AnnotateRun { args, options, .. } = *run;
        text.finish().with_context(|| not_written(&args.output))?;
        if let Some(file) = &self.json {
            file.write(json_report(options, signature, games)?)?;
        }
        if let Some(file) = &self.html {
            let command = command_line::command_line(args);
            let line = args.notes(options).line;
            let context = ReportContext { options, line, command: &command };
            file.write(report::page(games, &context))?;
        }
        let Some((count, file)) = &self.exercises else { return Ok(None) };
        let text = annotate::exercises(games, *count);
        file.write(&text)?;
        Ok(Some((text.lines().count(), &file.path)))
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
    interrupt: &'a Interrupt,
}

/// The games of a run.
struct AnnotatedGames<'a> {
    /// As PGN, with the games that are not selected.
    text: OutputParts<'a>,
    /// As data, where a file needs them.
    games: Vec<AnnotatedGame>,
    sums: GameSums,
    is_complete: bool,
}

impl AnnotateRun<'_> {
    /// Searches and annotates the games.
    fn annotate<'a>(
        &self,
        games: &GameFiles,
        counts: Option<&GameTotals>,
        outputs: &'a AnnotateOutputs,
        earlier: EarlierSearches,
        progress: &mut SearchProgress,
    ) -> Result<AnnotatedGames<'a>> {
        let Self { args, options, interrupt } = *self;
        let job = AnnotateJob {
            options,
            threads: args.threads.into(),
            stop: &Arc::clone(&interrupt.stop),
        };
        let notes = args.notes(options);
        let searches = counts.map(|counts| counts.searches.saturating_sub(earlier.count()));
        let mut display = SearchDisplay::new(searches);
        let mut annotated = AnnotatedGames {
            text: outputs.pgn.begin().with_context(|| not_written(&args.output))?,
            games: Vec::new(),
            sums: GameSums::default(),
            is_complete: false,
        };
        let inbox = games.start(counts)?;
        let mut is_stopped = false;
        let is_complete = job.run(inbox, earlier, progress, |event| -> Result<()> {
            let text = match event {
                AnnotateEvent::Searched { game, added } => {
                    display.searched(game, added);
                    return Ok(());
                }
                AnnotateEvent::Kept(text) => text.to_owned(),
                AnnotateEvent::Finished { game, searched } => {
                    let finished = finish(game, searched, options, &notes, &interrupt.stop);
                    let Some((game, text)) = finished else {
                        is_stopped = true;
                        return Ok(());
                    };
                    display.finished(&game);
                    annotated.sums.add(&game);
                    if outputs.need_games() {
                        annotated.games.push(game);
                    }
                    text
                }
            };
            let written = annotated.text.write_all(text.as_bytes());
            written.with_context(|| not_written(&args.output))
        })?;
        display.bar.finish_and_clear();
        Ok(AnnotatedGames { is_complete: is_complete && !is_stopped, ..annotated })
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
        log::error!("game {} is written without annotations: {error}", game.number());
        written = game.clone();
    }
    let text = text_of(&written);
    Some((annotated, text))
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
            game.number()
        ));
    }

    fn finished(&mut self, game: &AnnotatedGame) {
        for side in [&game.white, &game.black] {
            let counts = [side.all.inaccuracies, side.all.mistakes, side.all.blunders];
            self.faults.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
    }
}
