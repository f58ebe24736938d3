//! How to read the page, its limits, and the command that makes it again.

use crate::annotate::annotated_game::EngineName;
use crate::annotate::report::section::ReportContext;
use crate::annotate::report::wording;
use crate::insight::mark::Thresholds;
use crate::page::Markup;

const LIMITS: &str = "Lovec sees as far as its nodes: a plan of fifteen moves is not seen. A line \
    shows that something happens; terms are correlations that were fitted to games, not causes. \
    Other moves may be as good as the ones shown. Where no reason is certain, none is given.";

/// The end of the page.
pub fn footer(context: &ReportContext<'_>) -> Markup {
    let paragraph = |text: String| Markup::new("p").text(text);
    Markup::new("footer")
        .child(Markup::new("h2").text("How to read this"))
        .child(paragraph(marks(&context.options.thresholds)))
        .child(paragraph(
            "On the boards the green arrow is the best move and the red one the move played. A \
             score of +1.19 is 1.19 pawns for White. Accuracy runs to 100 and is computed by the \
             formulas that Lichess publishes, from Lovec’s expected scores: it compares moves with \
             Lovec’s, and differs from the number that Lichess shows."
                .to_owned(),
        ))
        .child(Markup::new("h2").text("Limits"))
        .child(paragraph(LIMITS.to_owned()))
        .child(Markup::new("h2").text("How to repeat it"))
        .child(Markup::new("p").child(Markup::new("code").text(context.command)))
}

/// How the positions were searched.
pub fn searches(context: &ReportContext<'_>) -> String {
    let EngineName { name, version } = EngineName::LOVEC;
    let lovec = format!("{name} {version}");
    let (engine, words) = match &context.options.engine {
        Some(engine) => (&engine.name, format!(" The words are {name}’s.")),
        None => (&lovec, String::new()),
    };
    let limits = &context.options.limits;
    let limit = match (limits.nodes, limits.depth, limits.movetime) {
        (Some(nodes), ..) => format!("{} nodes a move", wording::count(nodes)),
        (_, Some(depth), _) => format!("depth {depth}"),
        (.., Some(time)) => format!("{} ms a move", time.as_millis()),
        _ => "no limit".to_owned(),
    };
    format!(
        "{engine} searched {limit}, and {} times as long again where a move seemed to be a \
         fault.{words}",
        context.options.confirm
    )
}

/// What the marks mean.
fn marks(thresholds: &Thresholds) -> String {
    let [inaccuracy, mistake, blunder] =
        [thresholds.inaccuracy, thresholds.mistake, thresholds.blunder].map(|loss| 100.0 * loss);
    format!(
        "The expected score is 100 % for a win, 50 % for a draw and 0 % for a loss. A move that \
         loses {inaccuracy} points of 100 is an inaccuracy (?!), {mistake} a mistake (?), {blunder} \
         a blunder (??). The only good move has !, a sacrifice among these !!, the only legal \
         move □."
    )
}
