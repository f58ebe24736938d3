"""Solves games with hidden cards by itself, and compares with Lovec.

    hidden_games.py LOVEC [GAMES]

Of random trees it tries every strategy, a move for each node of MAX, against the best replies in
each world. Of random deals it plays out every way to play the suit, without leaving out cards
that are worth the same, keeps what each strategy wins, and counts worlds with open cards by
minimax.
"""

import itertools
import json
import math
import random
import subprocess
import sys

RANKS = "AKQJT98765432"


def lovec_solves(lovec, *arguments):
    command = [lovec, "lab", "hidden", "--json", "--worlds", "1000", *arguments]
    output = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    return json.loads(output)["games"][0]


# Trees: a leaf is a text, other nodes are lists; MAX moves first.


def random_tree(rng, worlds, depth):
    if depth == 0 or (depth < 3 and rng.random() < 0.3):
        return "".join(rng.choice("01") for _ in range(worlds))
    return [random_tree(rng, worlds, depth - 1) for _ in range(rng.randint(1, 2 if depth % 2 else 3))]


def tree_text(tree):
    return tree if isinstance(tree, str) else f"[{' '.join(map(tree_text, tree))}]"


def max_nodes(tree, path=()):
    if isinstance(tree, str):
        return {}
    nodes = {path: len(tree)} if len(path) % 2 == 0 else {}
    for number, child in enumerate(tree):
        nodes |= max_nodes(child, (*path, number))
    return nodes


def outcome(tree, world, strategy, path=()):
    """Whether MAX wins; without a strategy the cards are open."""
    if isinstance(tree, str):
        return tree[world] == "1"
    results = (
        outcome(child, world, strategy, (*path, number))
        for number, child in enumerate(tree)
        if len(path) % 2 or strategy is None or strategy[path] == number
    )
    return all(results) if len(path) % 2 else any(results)


def check_tree(lovec, rng):
    worlds = rng.randint(1, 5)
    tree = [random_tree(rng, worlds, 3) for _ in range(rng.randint(1, 3))]
    nodes = max_nodes(tree)
    if math.prod(nodes.values()) > 5000:
        return
    best = 0
    for moves in itertools.product(*map(range, nodes.values())):
        strategy = dict(zip(nodes, moves))
        best = max(best, sum(outcome(tree, world, strategy) for world in range(worlds)))
    open_cards = sum(outcome(tree, world, None) for world in range(worlds))
    compare(tree_text(tree), lovec_solves(lovec, tree_text(tree)), best / worlds, open_cards / worlds)


# Deals: hands are frozen sets of numbers, the ace is 0.


def tricks_of(order, cards):
    """Whether MAX wins a trick of cards by hand, None for a discard; North is hand 0."""
    played = [(card, hand) for hand, card in zip(order, cards) if card is not None]
    return min(played)[1] % 2 == 0


def open_tricks(hands):
    if not hands[0] and not hands[2]:
        return 0

    def play(left, order, cards):
        if len(cards) == 4:
            return tricks_of(order, cards) + open_tricks(left)
        hand = order[len(cards)]
        results = []
        for card in left[hand] or [None]:
            after = list(left)
            after[hand] = left[hand] - {card}
            results.append(play(tuple(after), order, (*cards, card)))
        return max(results) if hand % 2 == 0 else min(results)

    orders = [[(leader + turn) % 4 for turn in range(4)] for leader in (0, 2) if hands[leader]]
    return max(play(hands, order, ()) for order in orders)


def strategies(north, south, worlds, tricks):
    """What each strategy wins, as sets of worlds; `worlds` has the cards of East and West."""

    def lead(own, worlds, won):
        if not own[0] and not own[2]:
            return {frozenset(worlds) if won >= tricks else frozenset()}
        wins = set()
        for leader in (0, 2):
            if own[leader]:
                order = [(leader + turn) % 4 for turn in range(4)]
                wins |= play(own, worlds, won, order, ())
        return wins

    def play(own, worlds, won, order, cards):
        if len(cards) == 4:
            return lead(own, worlds, won + tricks_of(order, cards))
        hand = order[len(cards)]
        if hand % 2 == 0:
            wins = set()
            for card in own[hand] or [None]:
                wins |= play({**own, hand: own[hand] - {card}}, worlds, won, order, (*cards, card))
            return wins
        # The defenders see all: in each world they may play what they have.
        held = {world: hands[hand // 2] or {None} for world, hands in worlds.items()}
        all_wins = {frozenset(worlds)}
        for card in set().union(*held.values()):
            after = {}
            for world, hands in worlds.items():
                if card in held[world]:
                    left = list(hands)
                    left[hand // 2] = hands[hand // 2] - {card}
                    after[world] = tuple(left)
            below = play(own, after, won, order, (*cards, card))
            others = frozenset(worlds) - frozenset(after)
            all_wins = {wins & (other | others) for wins in all_wins for other in below}
        return all_wins

    return lead({0: north, 2: south}, worlds, 0)


def check_deal(lovec, rng):
    hidden_count = rng.randint(1, 3)
    deck = rng.sample(range(8), 4 + hidden_count)
    north, south, hidden = map(frozenset, (deck[:2], deck[2:4], deck[4:]))
    tricks = rng.randint(1, 2)
    worlds, weights = {}, {}
    for size in range(hidden_count + 1):
        for east in itertools.combinations(sorted(hidden), size):
            worlds[east] = (frozenset(east), hidden - frozenset(east))
            weights[east] = math.comb(26 - hidden_count, 13 - size)
    total = sum(weights.values())
    best = max(sum(weights[w] for w in wins) for wins in strategies(north, south, worlds, tricks))
    open_cards = sum(
        weights[world]
        for world, (east, west) in worlds.items()
        if open_tricks((north, east, south, west)) >= tricks
    )
    text = "/".join("".join(RANKS[card] for card in sorted(hand)) for hand in (north, south, hidden))
    solved = lovec_solves(lovec, text, "--tricks", str(tricks))
    compare(f"{text} {tricks}", solved, best / total, open_cards / total)


def compare(text, solved, best, open_cards):
    theirs = solved["methods"][0]["chance"], solved["open_chance"]
    if any(abs(own - other) > 1e-9 for own, other in zip((best, open_cards), theirs)):
        sys.exit(f"{text}: {best} and {open_cards} with open cards here, {theirs} of Lovec")
    if any(method["chance"] > best + 1e-9 for method in solved["methods"]):
        sys.exit(f"{text}: a method wins more often than the best strategy")


def main():
    lovec, games = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 60
    rng = random.Random(1)
    for _ in range(games):
        check_tree(lovec, rng)
        check_deal(lovec, rng)
    print("everything passed")


main()
