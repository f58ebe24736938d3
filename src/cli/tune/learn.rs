//! `lovec tune --method`: ways to learn the same weights, side by side.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, ensure};
use serde::Serialize;

use crate::cli::arguments::{named, real, word};
use crate::cli::outputs::{ForceArg, OutputFolder, OutputPath, ensure_new, not_written};
use crate::cli::suite::SuiteFile;
use crate::cli::tune::{Args, named_terms, objective, read};
use crate::cli::{CommandStatus, Interrupt, aligned, json, progress, suite, whole};
use crate::eval::{WEIGHTS, writer};
use crate::page::chart::{Chart, Scale, Series};
use crate::suite::epd::EpdTask;
use crate::tuner::dataset::Dataset;
use crate::tuner::learn::data::LossSource;
use crate::tuner::learn::fitness::{Fitness, LearnSources, TestPosition};
use crate::tuner::learn::method::{GameSettings, Method};
use crate::tuner::learn::run::{CurvePoint, LearnRun, LearnSettings};
use crate::tuner::learn::space::WeightSpace;
use crate::tuner::model::Parameters;
use crate::util::output_file::{self, OutputFile};
use crate::util::reserved_file::{ReserveError, ReservedFile};

/// A pawn, knight, bishop, rook, queen at the start, in centipawns.
const MATERIAL: [f32; 5] = [100.0, 300.0, 300.0, 500.0, 900.0];

/// The options of a fit, which exclude a comparison.
const FIT_OPTIONS: [&str; 9] =
    ["output", "epochs", "rate", "batch", "pull", "validation", "patience", "freeze", "ablate"];

/// The options of `--method`
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Comparison of methods")]
#[group(requires = "methods", conflicts_with_all = FIT_OPTIONS)]
pub struct LearnArgs {
    /// Learn the weights by each of these methods, instead of a fit in epochs
    #[arg(long = "method", value_name = "NAME", value_delimiter = ',', value_parser = named(&Method::ALL, Method::name))]
    pub methods: Vec<Method>,
    /// The weights at the start: material, classic values of the pieces and 0 for all else; or
    /// present, the program's
    #[arg(long, value_name = "WEIGHTS", default_value = "material")]
    start: StartWeights,
    /// The terms, or groups of terms, to learn; the others stay as at the start
    #[arg(
        long,
        value_name = "NAME",
        value_delimiter = ',',
        default_value = "material,piece_square,king_square"
    )]
    terms: Vec<String>,
    /// Passes over all positions, at least, for each method but td and tdleaf [default: 3000]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1, 1_000_000_000))]
    passes: Option<u64>,
    /// Games, at least, for td and tdleaf [default: 400]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1, 1_000_000_000))]
    games: Option<u64>,
    /// What hill, anneal, genetic and spsa make small: the loss; the share of positions of
    /// --suite that they do not solve; or that of points that they lose in 16 games against the
    /// start
    #[arg(long, value_name = "KIND", default_value = "loss")]
    fitness: FitnessKind,
    /// Test positions with a solution, for --fitness suite
    #[arg(long, value_name = "EPD", required_if_eq("fitness", "suite"))]
    suite: Option<PathBuf>,
    /// Plies of the searches of td and tdleaf, and of --fitness suite and games, before
    /// captures [default: 1]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1, 8))]
    depth: Option<u32>,
    /// The discount of later differences in the games of td and tdleaf [default: 0.7]
    #[arg(long, value_name = "0..1", value_parser = real(0.0..=1.0))]
    lambda: Option<f32>,
    /// The change of the weights by a game of td and tdleaf, as a factor of the derivative
    /// [default: 0.01]
    #[arg(long, value_name = "X", value_parser = real(0.0..=1.0))]
    game_rate: Option<f32>,
    /// Folder of the runs: METHOD.json is the state, from which the same command continues,
    /// METHOD.rs has the weights
    #[arg(long, value_name = "DIR")]
    runs: Option<OutputFolder>,
    /// Draw a chart of the losses, a line for each method
    #[arg(long, value_name = "FILE")]
    svg: Option<OutputPath>,
    /// What the losses are drawn over
    #[arg(long, value_name = "AXIS", default_value = "evaluations", requires = "svg")]
    plot: LearnAxis,
}

impl LearnArgs {
    fn depth(&self) -> u32 {
        self.depth.unwrap_or(1)
    }

    fn game_settings(&self) -> GameSettings {
        let (lambda, rate) = (self.lambda.unwrap_or(0.7), self.game_rate.unwrap_or(0.01));
        GameSettings { depth: self.depth(), lambda, rate }
    }

    /// Refuses options that the methods do not heed.
    fn ensure_heeded(&self) -> Result<()> {
        let plays = self.methods.iter().any(|method| method.plays_games());
        let reads = self.methods.iter().any(|method| !method.plays_games());
        let compares = self.methods.iter().all(|method| method.compares());
        let (fitness, is_loss) = (self.fitness, self.fitness == FitnessKind::Loss);
        let players = "the methods td and tdleaf";
        for (option, is_given, is_heeded, heeding) in [
            ("--fitness", !is_loss, compares, "the methods hill, anneal, genetic and spsa"),
            ("--suite", self.suite.is_some(), fitness == FitnessKind::Suite, "--fitness suite"),
            ("--passes", self.passes.is_some(), reads, "other methods than td and tdleaf"),
            ("--games", self.games.is_some(), plays, players),
            ("--lambda", self.lambda.is_some(), plays, players),
            ("--game-rate", self.game_rate.is_some(), plays, players),
            (
                "--depth",
                self.depth.is_some(),
                plays || !is_loss,
                "the methods td and tdleaf, and for --fitness suite or games",
            ),
        ] {
            ensure!(!is_given || is_heeded, "{option} is for {heeding}");
        }
        Ok(())
    }
}

/// The weights at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum StartWeights {
    Material,
    Present,
}

/// What methods without a derivative make small.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum FitnessKind {
    Loss,
    Suite,
    Games,
}

/// The horizontal axis of the chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum LearnAxis {
    Evaluations,
    Time,
}

/// Runs the methods in turn and compares them.
pub(super) fn run(tune: &Args, out: &mut impl Write) -> Result<CommandStatus> {
    let args = &tune.learn;
    args.ensure_heeded()?;
    let (training, test) = read(tune, |_, _| Ok(()))?;
    let space = space(args, &training)?;
    let objective = objective(&training, &space.parameters(&space.start()), tune.blend);
    let (fitness, is_whole) = fitness(args)?;
    let sources = LearnSources {
        fitness,
        data: LossSource::new(&space, objective, &training),
        test: test.map(|test| LossSource::new(&space, objective, &test)),
        depth: args.depth(),
    };
    let svg = args.svg.as_ref().map(|path| path.prepare(tune.force)).transpose()?;
    let folder = args.runs.as_deref();
    let _reserved = folder.map(|folder| reserve(folder, &args.methods, tune.force)).transpose()?;
    let interrupt = Interrupt::catch()?;
    let mut runs = Vec::new();
    for &method in &args.methods {
        let settings = settings(args, tune.seed, method, &sources);
        runs.push(learn(settings, args, &sources, &interrupt)?);
        if interrupt.is_raised() {
            break;
        }
    }
    let has_learned = runs.iter().any(|run| run.curve.len() > 1);
    // An error of the file comes after the result.
    let written = svg
        .filter(|_| has_learned || !interrupt.is_raised())
        .map_or(Ok(()), |file| file.write(chart(args.plot, &runs).svg()));
    if tune.json {
        let (weights, interrupted) = (space.size(), interrupt.is_raised());
        let runs = runs.iter().map(|LearnRun { settings, curve, .. }| JsonRun { settings, curve });
        let runs = runs.collect();
        json::write(out, "lovec.tune-methods/1", &JsonMethods { weights, runs, interrupted })?;
    } else {
        let positions = training.len();
        writeln!(out, "{} weights, {positions} positions", space.size())?;
        write!(out, "{}", table(&runs))?;
        if interrupt.is_raised() {
            let hope = if args.runs.is_some() { "; the same command continues" } else { "" };
            writeln!(out, "interrupted{hope}")?;
        }
    }
    written?;
    Ok(interrupt.status(CommandStatus::of(is_whole)))
}

/// The fitness, and whether all lines of its suite could be read.
fn fitness(args: &LearnArgs) -> Result<(Fitness, bool)> {
    let path = match (args.fitness, &args.suite) {
        (FitnessKind::Suite, Some(path)) => path,
        (FitnessKind::Games, _) => return Ok((Fitness::Games, true)),
        _ => return Ok((Fitness::Loss, true)),
    };
    let SuiteFile { entries, is_whole } = suite::read_tasks(path)?;
    let test = |task: EpdTask| {
        let position = task.epd.position.clone();
        let moves = position.legal_moves();
        TestPosition {
            position,
            solutions: moves.into_iter().filter(|&m| task.is_right(m)).collect(),
        }
    };
    let tests: Vec<TestPosition> =
        entries.into_iter().filter(EpdTask::has_moves).map(test).collect();
    ensure!(!tests.is_empty(), "{} has no position with bm, am or points in c0", path.display());
    Ok((Fitness::Suite(tests), is_whole))
}

/// The weights to learn, of the terms that occur.
fn space(args: &LearnArgs, training: &Dataset) -> Result<WeightSpace> {
    let mut start = Parameters::from(&WEIGHTS);
    if args.start == StartWeights::Material {
        // The material is declared first.
        start.0.fill([0.0; 2]);
        start.0.iter_mut().zip(MATERIAL).for_each(|(weight, value)| *weight = [value; 2]);
    }
    let mut is_free = named_terms(&args.terms)?;
    let occurrences = training.occurrences(start.0.len());
    for (is_free, count) in is_free.iter_mut().zip(occurrences) {
        *is_free &= count > 0;
    }
    ensure!(is_free.contains(&true), "no position has a term that is to be learned");
    Ok(WeightSpace::new(start, &is_free))
}

/// The terms that these names stand for, in the order of declaration.
fn term_names(names: &[String]) -> Vec<String> {
    let is_named = |name: &str| names.iter().any(|it| it == name);
    let tables = WEIGHTS.tables().into_iter();
    tables
        .filter(|table| is_named(table.name) || is_named(table.group))
        .map(|table| table.name.to_owned())
        .collect()
}

fn settings(
    args: &LearnArgs,
    seed: u64,
    method: Method,
    sources: &LearnSources<'_>,
) -> LearnSettings {
    let plays = method.plays_games();
    let data = &sources.data;
    let start = data.space().start();
    LearnSettings {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        method,
        start: word(args.start),
        terms: term_names(&args.terms),
        positions: data.positions(),
        start_loss: data.loss(&start),
        test_start_loss: sources.test.as_ref().map(|test| test.loss(&start)),
        seed,
        budget: if plays { args.games.unwrap_or(400) } else { args.passes.unwrap_or(3000) },
        games: plays.then_some(args.game_settings()),
        fitness: (word(args.fitness), (args.fitness != FitnessKind::Loss).then_some(args.depth())),
        suite: sources.fitness.suite_checksum(),
    }
}

/// Makes the folder of the runs, and reserves it for this process. Files of weights that no
/// run of the folder has written stay, unless they may be replaced.
fn reserve(folder: &Path, methods: &[Method], force: ForceArg) -> Result<ReservedFile> {
    let name = folder.display();
    fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {name}"))?;
    let reserved = ReservedFile::lock(&folder.join(".lock")).map_err(|error| match error {
        ReserveError::Busy => anyhow!("another tune learns in {name}"),
        ReserveError::Io(error) => anyhow!("cannot write to the folder {name}: {error}"),
    })?;
    for method in methods {
        let [state, weights] =
            ["json", "rs"].map(|it| folder.join(method.name()).with_extension(it));
        if state.symlink_metadata().is_err() {
            ensure_new(&weights, force)?;
        }
        for path in [state, weights] {
            OutputFile::prepare(&path).with_context(|| not_written(&path))?;
        }
    }
    Ok(reserved)
}

/// Runs a method to its end, from its state if there is one.
fn learn(
    settings: LearnSettings,
    args: &LearnArgs,
    sources: &LearnSources<'_>,
    interrupt: &Interrupt,
) -> Result<LearnRun> {
    let (name, budget) = (settings.method.name(), settings.budget);
    let folder = args.runs.as_deref();
    let path = |ending: &str| folder.map(|folder| folder.join(format!("{name}.{ending}")));
    let (state, weights) = (path("json"), path("rs"));
    let mut run = LearnRun::begin(settings, args.game_settings(), sources);
    if let Some(state) = &state {
        run = run.resumed(state)?;
    }
    let bar = progress::bar(budget as usize);
    bar.set_message(name);
    bar.continue_from(run.spent());
    let is_stopped = || interrupt.is_raised();
    run.advance(sources, state.as_deref(), &is_stopped, |spent| bar.set_position(spent))?;
    // Such as adam from weights of 0 that the score has the square of.
    if run.is_over() && run.weights() == sources.data.space().start() {
        log::warn!("{name} has found no better weights than those of the start");
    }
    if let Some(path) = weights {
        let text = writer::source(&sources.data.space().parameters(run.weights()).to_weights());
        output_file::write(&path, text.as_bytes()).with_context(|| not_written(&path))?;
    }
    Ok(run)
}

/// A row for the start and for each method.
fn table(runs: &[LearnRun]) -> String {
    let mut head = vec!["method", "passes", "games", "evaluations", "seconds", "training", "test"];
    let start = runs.first().and_then(|run| run.curve.first());
    if start.is_some_and(|start| start.fitness.is_some()) {
        let is_suite = runs.iter().any(|run| run.settings.suite.is_some());
        head.push(if is_suite { "unsolved" } else { "points lost" });
    }
    let row = |name: &str, point: &CurvePoint, plays: bool| {
        let spent = if point.spent == 0 { "-".to_owned() } else { point.spent.to_string() };
        let (passes, games) = if plays { ("-".to_owned(), spent) } else { (spent, "-".to_owned()) };
        let mut row = vec![
            name.to_owned(),
            passes,
            games,
            point.evaluations.to_string(),
            format!("{:.1}", point.milliseconds as f64 / 1000.0),
            format!("{:.6}", point.training_loss),
            point.test_loss.map_or_else(|| "-".to_owned(), |loss| format!("{loss:.6}")),
        ];
        row.extend(point.fitness.map(|share| format!("{:.1} %", 100.0 * share)));
        row
    };
    let mut rows: Vec<Vec<String>> = start.map(|it| row("start", it, false)).into_iter().collect();
    for run in runs {
        let method = run.settings.method;
        rows.extend(run.curve.last().map(|it| row(method.name(), it, method.plays_games())));
    }
    aligned(&head, &rows, &[0])
}

/// The losses of the test positions if there are any, else of the training positions.
fn chart(axis: LearnAxis, runs: &[LearnRun]) -> Chart {
    let (x_label, x): (&str, fn(&CurvePoint) -> f64) = match axis {
        LearnAxis::Evaluations => ("evaluated positions", |point| point.evaluations as f64),
        LearnAxis::Time => ("milliseconds", |point| point.milliseconds as f64),
    };
    let point = |it: &CurvePoint| (x(it), it.test_loss.unwrap_or(it.training_loss));
    // The scale is logarithmic and has no place for the start.
    let points = |run: &LearnRun| run.curve.iter().skip(1).map(point).collect();
    let series = runs
        .iter()
        .map(|run| Series { name: run.settings.method.name().to_owned(), points: points(run) });
    let first = runs.first().and_then(|run| run.curve.first());
    let is_tested = first.is_some_and(|point| point.test_loss.is_some());
    Chart {
        title: "Loss of the methods".to_owned(),
        x_label: x_label.to_owned(),
        y_label: if is_tested { "loss of the test positions" } else { "loss" }.to_owned(),
        x_scale: Scale::Log,
        y_scale: Scale::Linear,
        series: series.collect(),
    }
}

#[derive(Serialize)]
struct JsonMethods<'a> {
    weights: usize,
    runs: Vec<JsonRun<'a>>,
    interrupted: bool,
}

#[derive(Serialize)]
struct JsonRun<'a> {
    settings: &'a LearnSettings,
    curve: &'a [CurvePoint],
}
