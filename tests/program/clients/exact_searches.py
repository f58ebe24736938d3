"""Counts exact depth-first searches of random trees by itself, and compares with Lovec.

    exact_searches.py LOVEC [TREES]

Values, nodes and leaves of `lovec lab compare` have to be the same for minimax, alpha-beta
(hard and soft), NegaScout, PVS and MTD(f); values and leaves for SSS* and DUAL*. The functions
here follow the publications, with MAX and MIN where Lovec changes signs.
"""

import json
import random
import subprocess
import sys

INFINITE = 40_000


class Node:
    def __init__(self, value, children=()):
        self.value = value  # for MAX
        self.children = list(children)

    def text(self):
        inner = " ".join(child.text() for child in self.children)
        return f"{self.value}[{inner}]" if self.children else str(self.value)


def random_tree(rng, depth, spread):
    """A tree in which some lines end early."""
    value = rng.randint(-spread, spread)
    if depth == 0 or (depth < 3 and rng.random() < 0.2):
        return Node(value)
    return Node(value, [random_tree(rng, depth - 1, spread) for _ in range(rng.randint(1, 4))])


class Counter:
    """Nodes that are entered, and leaves that are evaluated."""

    def __init__(self):
        self.nodes = self.leaves = 0

    def is_leaf(self, node, depth):
        self.nodes += 1
        is_leaf = depth == 0 or not node.children
        self.leaves += is_leaf
        return is_leaf


def minimax(count, node, depth, is_max=True):
    if count.is_leaf(node, depth):
        return node.value
    values = [minimax(count, child, depth - 1, not is_max) for child in node.children]
    return max(values) if is_max else min(values)


def alpha_beta(count, node, depth, alpha, beta, is_max, is_hard):
    """Values for MAX; the hard form returns none outside the window."""

    def result(value):
        return min(max(value, alpha), beta) if is_hard else value

    if count.is_leaf(node, depth):
        return result(node.value)
    best = -INFINITE if is_max else INFINITE
    for child in node.children:
        low, high = (max(alpha, best), beta) if is_max else (alpha, min(beta, best))
        value = alpha_beta(count, child, depth - 1, low, high, not is_max, is_hard)
        best = max(best, value) if is_max else min(best, value)
        if best >= beta if is_max else best <= alpha:
            break
    return result(best)


def scout(count, node, depth, alpha, beta, sign, is_negascout):
    """NegaScout and PVS, for the side to move."""
    if count.is_leaf(node, depth):
        return sign * node.value
    best = -INFINITE
    for index, child in enumerate(node.children):
        low = max(alpha, best)
        high = low + 1 if index else beta
        value = -scout(count, child, depth - 1, -high, -low, -sign, is_negascout)
        # With two plies left the value of a null window is exact.
        is_again = low < value < beta and index and not (is_negascout and depth <= 2)
        if is_again:
            low = value if is_negascout else low
            value = -scout(count, child, depth - 1, -beta, -low, -sign, is_negascout)
        best = max(best, value)
        if best >= beta:
            break
    return best


def memory_test(count, bounds, node, depth, gamma, is_max):
    """Whether the value for MAX is at least gamma: a lower bound if so, or else an upper one."""
    low, high = bounds.get(id(node), (-INFINITE, INFINITE))
    if low >= gamma or high < gamma:
        count.nodes += 1
        return low if low >= gamma else high
    if count.is_leaf(node, depth):
        bounds[id(node)] = (node.value, node.value)
        return node.value
    best = -INFINITE if is_max else INFINITE
    for child in node.children:
        value = memory_test(count, bounds, child, depth - 1, gamma, not is_max)
        best = max(best, value) if is_max else min(best, value)
        if best >= gamma if is_max else best < gamma:
            break
    bounds[id(node)] = (max(low, best), high) if best >= gamma else (low, min(high, best))
    return best


def mtd(count, node, depth, next_gamma):
    low, high, last, bounds = -INFINITE, INFINITE, None, {}
    while low < high:
        gamma = next_gamma(low, last)
        last = memory_test(count, bounds, node, depth, gamma, True)
        if last >= gamma:
            low = last
        else:
            high = last
    return last


def sss(count, root, depth):
    """SSS*: a list of (bound, place, node, solved), the greatest bound first, then the leftmost."""
    by_place = {(): root}
    states = {(): (INFINITE, False)}
    while True:
        place = min(states, key=lambda place: (-states[place][0], place))
        bound, is_solved = states.pop(place)
        node, is_max = by_place[place], len(place) % 2 == 0

        def add(child, child_bound, child_solved=False, parent=place):
            node = by_place[parent].children[child]
            by_place[(*parent, child)] = node
            states[(*parent, child)] = (child_bound, child_solved)

        if not is_solved:
            if len(place) == depth or not node.children:
                count.leaves += 1
                states[place] = (min(bound, node.value), True)
            else:
                for child in range(len(node.children) if is_max else 1):
                    add(child, bound)
        elif not place:
            return bound
        elif is_max:
            parent, child = place[:-1], place[-1] + 1
            if child < len(by_place[parent].children):
                add(child, bound, parent=parent)
            else:
                states[parent] = (bound, True)
        else:
            parent = place[:-1]
            states = {it: state for it, state in states.items() if it[: len(parent)] != parent}
            states[parent] = (bound, True)


def guess_from(root):
    def next_gamma(low, last):
        guess = root.value if last is None else last
        return guess + 1 if guess == low else guess

    return next_gamma


SEARCHES = {
    "minimax": lambda count, root, depth: minimax(count, root, depth),
    "ab": lambda count, root, depth: alpha_beta(
        count, root, depth, -INFINITE, INFINITE, True, False
    ),
    "ab:hard": lambda count, root, depth: alpha_beta(
        count, root, depth, -INFINITE, INFINITE, True, True
    ),
    "negascout": lambda count, root, depth: scout(
        count, root, depth, -INFINITE, INFINITE, 1, True
    ),
    "pvs": lambda count, root, depth: scout(count, root, depth, -INFINITE, INFINITE, 1, False),
    "mtdf": lambda count, root, depth: mtd(count, root, depth, guess_from(root)),
    "sss": sss,
    # DUAL* evaluates the leaves of null windows from below.
    "dual": lambda count, root, depth: mtd(count, root, depth, lambda low, _: low + 1),
}


def main():
    lovec, trees = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 150
    rng = random.Random(1)
    compared = 0
    for number in range(trees):
        depth = rng.randint(2, 6)
        root = random_tree(rng, depth, rng.choice([3, 20, 1000]))
        if not root.children:
            continue
        searched = depth - number % 2
        game = f"explicit:{root.text()}"
        command = [lovec, "lab", "compare", "--json", "--game", game, "--depth", str(searched)]
        command += ["--algo", ",".join(SEARCHES)]
        output = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
        for row in json.loads(output)["rows"]:
            name = row["algorithm"]
            count = Counter()
            own = {"value": SEARCHES[name](count, root, searched), "leaves": count.leaves}
            if name not in ("sss", "dual"):
                own["nodes"] = count.nodes
            theirs = {key: row[key] for key in own}
            if own != theirs:
                sys.exit(f"{name} depth {searched} {game}: {own} here, {theirs} of Lovec")
            compared += 1
    if compared < trees:
        sys.exit("too few searches")
    print("everything passed")


main()
