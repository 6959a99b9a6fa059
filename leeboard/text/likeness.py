"""How alike two texts are: by the words they share, whatever their order, and by the letters that differ.

Whole integers serve as columns of bits, one for each letter, so that a text is compared letter by letter and not pair
by pair: a few microseconds for a sentence, without a package of compiled code.
"""

from __future__ import annotations


def shared_words(one: str, two: str) -> float:
    """0 to 100, the token set ratio: 100 where the words of one text are all in the other."""
    first, second = set(one.split()), set(two.split())
    if not first or not second:
        return 0.0
    both, only_first, only_second = first & second, first - second, second - first
    if both and not (only_first and only_second):
        return 100.0
    left, right = " ".join(sorted(only_first)), " ".join(sorted(only_second))
    shared = len(" ".join(both))
    with_left, with_right = (shared + bool(shared) + len(rest) for rest in (left, right))
    best = _ratio(len(left) + len(right) - 2 * _longest_common(left, right), with_left + with_right)
    if not shared:
        return best
    return max(best, _ratio(1 + len(left), shared + with_left), _ratio(1 + len(right), shared + with_right))


def edit_distance(one: str, two: str) -> int:
    """How many letters are put in, left out or replaced on the way from one text to the other."""
    if not one or not two:
        return len(one) + len(two)
    places, every = _places(one), (1 << len(one)) - 1
    last = 1 << (len(one) - 1)
    up, down, distance = every, 0, len(one)
    for letter in two:
        here = places.get(letter, 0)
        level = (((here & up) + up) ^ up) | here | down
        risen, fallen = down | ~(level | up), level & up
        distance += bool(risen & last) - bool(fallen & last)
        risen, fallen = (risen << 1) | 1, fallen << 1
        up, down = (fallen | ~(level | risen)) & every, risen & level & every
    return distance


def _longest_common(one: str, two: str) -> int:
    """The length of the longest run of letters, gaps allowed, that both have."""
    places, every = _places(one), (1 << len(one)) - 1
    open_places = every
    for letter in two:
        met = open_places & places.get(letter, 0)
        open_places = ((open_places + met) | (open_places - met)) & every
    return len(one) - open_places.bit_count()


def _places(text: str) -> dict[str, int]:
    """Where each letter stands, a bit for each place."""
    found: dict[str, int] = {}
    for number, letter in enumerate(text):
        found[letter] = found.get(letter, 0) | 1 << number
    return found


def _ratio(distance: int, length: int) -> float:
    return 100 - 100 * distance / length
