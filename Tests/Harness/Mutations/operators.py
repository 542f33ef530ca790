"""Finds the places in a Swift source that a mutation operator applies to, and rewrites them.

Text only, a line at a time: a rewritten line keeps its number, so that the compiler's complaints say which mutants do not
compile. Every rewritten place asks `mutant__(N)` and does what it did before unless N is the number that is switched on.
"""
import re

IDENTIFIER = r"[A-Za-z_][\w]*"
CALLEE = r"(?:[A-Za-z_][\w]*|\$0)(?:(?:\?|!)?\.[A-Za-z_][\w]*|\[[^\[\]]*\])*"


class Candidate:
    """A place that can be mutated. `rewrite` gets the number of the mutant and returns the new line."""

    def __init__(self, path, line, operator, before, rewrite, thread=False):
        self.path, self.line, self.operator = path, line, operator
        self.before, self.rewrite, self.thread = before.strip(), rewrite, thread

    @property
    def key(self):
        return (self.path, self.line, self.operator, self.before)


def balanced(text):
    depth = 0
    for character in text:
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
            if depth < 0:
                return False
    return depth == 0


def top_level(text, separator):
    """The parts of `text` between separators that no bracket encloses."""
    parts, depth, start, index = [], 0, 0, 0
    while index < len(text):
        if text[index] in "([{":
            depth += 1
        elif text[index] in ")]}":
            depth -= 1
        elif depth == 0 and text.startswith(separator, index):
            parts.append(text[start:index])
            index += len(separator)
            start = index
            continue
        index += 1
    parts.append(text[start:])
    return parts


def conditions(line):
    """The conditions of an `if`, a `guard` or a `while` that is on one line: (start, end) of each."""
    head = re.match(r"^\s*(?:\} else )?(if|guard|while) ", line)
    if not head:
        return []
    depth, index, end = 0, head.end(), None
    while index < len(line):
        if line[index] in "([":
            depth += 1
        elif line[index] in ")]":
            depth -= 1
        elif depth == 0 and line.startswith(" {", index) and head[1] != "guard":
            end = index
            break
        elif depth == 0 and line.startswith(" else {", index):
            end = index
            break
        index += 1
    if end is None:
        return []
    found, start = [], head.end()
    for part in top_level(line[head.end():end], ", "):
        if not re.match(r"(let|var|case|#|try|await)\b", part):
            found.append((start, start + len(part)))
        start += len(part) + 2
    return found


def active_lines(lines):
    """Which lines a debug build on Linux compiles, without comments and multi-line strings. None for what is left alone."""
    stack, result, quoted = [], [], False
    for line in lines:
        stripped = line.strip()
        if '"""' in stripped:
            quoted = not quoted if stripped.count('"""') == 1 else quoted
            result.append(None)
            continue
        directive = re.match(r"#(if|elseif|else|endif)\b(.*)", stripped)
        if directive:
            kind, condition = directive[1], directive[2]
            if kind == "if":
                stack.append(truth(condition))
            elif kind == "elseif":
                stack[-1] = truth(condition) if stack[-1] is False else None
            elif kind == "else":
                stack[-1] = None if stack[-1] is None else not stack[-1]
            else:
                stack.pop()
            result.append(None)
        elif quoted or any(state is not True for state in stack):
            result.append(None)
        elif stripped.startswith("//"):
            result.append("")
        else:
            code = re.sub(r"\s+//.*$", "", line)
            result.append(code)
    return result


def truth(condition):
    condition = condition.strip()
    if condition == "TIDINGS_EXPLORED":
        return False
    if condition == "!TIDINGS_EXPLORED":
        return True
    if condition.startswith("DEBUG"):
        return True
    return None


def follows_statement(previous):
    """Whether a line after `previous` begins a statement."""
    return previous is not None and (
        previous.rstrip().endswith(("{", "}", ")", "!")) or re.search(r"\bin$|[\w\]]$", previous.rstrip()) is not None
    ) and not previous.strip().startswith((".", "?", ":")) and balanced_tail(previous)


def balanced_tail(text):
    """No bracket but braces is left open."""
    depth = 0
    for character in text:
        depth += (character in "([") - (character in ")]")
    return depth <= 0


def ends_statement(following):
    return following is not None and not re.match(r"^\s*(\.|\?|:|&&|\|\||\)|\]|,|\{|[-+*/=<>] )", following)


WEAKER = {
    "sequentiallyConsistent": {"load": "acquiring", "store": "releasing", "": "acquiringAndReleasing"},
    "acquiringAndReleasing": {"": "acquiring"},
    "acquiring": {"load": "relaxed", "": "relaxed"},
    "releasing": {"store": "relaxed", "": "relaxed"},
}


def atomic_call(line):
    """The atomic operation on this line that has an ordering to weaken: (start, end, weaker text)."""
    found = re.search(
        r"(" + CALLEE + r")\.(load|store|exchange|compareExchange|weakCompareExchange|bitwiseOr|bitwiseAnd|add|"
        r"wrappingAdd|wrappingSubtract|subtract|max)\(", line)
    if not found:
        return None
    depth, end = 0, None
    for index in range(found.end() - 1, len(line)):
        depth += (line[index] in "([") - (line[index] in ")]")
        if depth == 0:
            end = index + 1
            break
    if end is None:
        return None
    call = line[found.start():end]
    ordering = re.search(r"(ordering|successOrdering): \.(\w+)", call)
    if not ordering or ordering[2] not in WEAKER:
        return None
    table = WEAKER[ordering[2]]
    weaker = table.get(found[2], table.get(""))
    if weaker is None:
        return None
    changed = call[:ordering.start(2)] + weaker + call[ordering.end(2):]
    return found.start(), end, changed


def candidates(path, text):
    lines = text.split("\n")
    code = active_lines(lines)
    locked, brace, function_stack = [], 0, []
    found = []

    def add(number, operator, rewrite, thread=False):
        found.append(Candidate(path, number, operator, lines[number], rewrite, thread))

    for number, line in enumerate(code):
        if line is None or not line.strip():
            continue
        previous = next((code[n] for n in range(number - 1, -1, -1) if code[n] is None or code[n].strip()), None)
        following = next((code[n] for n in range(number + 1, len(code)) if code[n] is None or code[n].strip()), None)
        in_lock = bool(locked)
        # Whether the line is in a locked region that began on a line before.
        opened, closed = line.count("{"), line.count("}")
        atomic = re.search(r"\.(load|store|compareExchange|exchange|bitwiseOr|bitwiseAnd|add|wrappingAdd)\(.*[oO]rdering:", line)

        if '"' not in line:
            # Conditions: negated, and their comparisons and connectives changed.
            for start, end in conditions(line):
                clause = line[start:end]
                thread = in_lock or atomic is not None
                add(number, "guard negated", replace(start, end, "(mutant__({n}) != (" + clause + "))"), thread)
                for one, other in ((" < ", " <= "), (" <= ", " < "), (" > ", " >= "), (" >= ", " > ")):
                    parts = top_level(clause, one)
                    if len(parts) == 2 and "&&" not in clause and "||" not in clause and "?" not in clause:
                        add(number, "comparison" + one + "to" + other, replace(
                            start, end, "(mutant__({n}) ? " + parts[0] + other + parts[1] + " : " + clause + ")"), thread)
                for one, other in ((" && ", " || "), (" || ", " && ")):
                    parts = top_level(clause, one)
                    if len(parts) == 2 and other not in clause:
                        add(number, one.strip() + " to " + other.strip(), replace(
                            start, end, "(mutant__({n}) ? (" + other.join(f"({p})" for p in parts) + ") : (" + clause + "))"),
                            thread)
            # A function of one line that answers yes or no.
            one = re.match(r"^(\s*.*\bfunc .*-> Bool(?: where .*)? \{ )(?!return|if|guard|switch)([^{}]*)( \})$", line)
            if one:
                add(number, "answer negated", replace(one.start(2), one.end(2), "mutant__({n}) != (" + one[2] + ")"))
            for flag in re.finditer(r"\breturn (true|false)\b", line):
                add(number, "answer negated", replace(
                    flag.start(1), flag.end(1), "mutant__({n})" if flag[1] == "false" else "!mutant__({n})"), in_lock)
            for flag in re.finditer(r"(?<![!=<>=]) = (true|false)$", line):
                if re.match(r"^\s*(?:[\w@() ]*\b)?(let|var)\b", line) is None:
                    add(number, "flag not changed", replace(
                        flag.start(1), flag.end(1), "mutant__({n})" if flag[1] == "false" else "!mutant__({n})"), in_lock)
            # A compare-exchange that has failed counts as done.
            for exchanged in re.finditer(r"\.exchanged\b", line):
                add(number, "failed compare-exchange ignored", replace(
                    exchanged.end(), exchanged.end(), ".orMutant__({n})"), True)
            # Constants and bounds.
            for literal in re.finditer(r"(?<=[-+<>=] )(\d[\d_]*)\b(?!\.\w|\.\.)", line):
                if not re.match(r"^\s*(?:[\w@() ]*\b)?(let|case)\b", line):
                    more = str(int(literal[1].replace("_", "")) + 1)
                    add(number, "constant one more", replace(
                        literal.start(1), literal.end(1), "(mutant__({n}) ? " + more + " : " + literal[1] + ")"),
                        in_lock or atomic is not None)
            for bound in re.finditer(r"\b(min|max)\(([^(),]+), ([^(),]+)\)", line):
                other = "max" if bound[1] == "min" else "min"
                add(number, f"{bound[1]} to {other}", replace(
                    bound.start(), bound.end(),
                    "(mutant__({n}) ? " + f"{other}({bound[2]}, {bound[3]}) : {bound[0]})"), in_lock)
            for depth in re.finditer(r"\bdepth: ([a-z$][\w.]*(?: \+ 1)?)(?=[,)])", line):
                if "func " not in line:
                    add(number, "depth not passed on", replace(
                        depth.start(1), depth.end(1), "(mutant__({n}) ? 0 : " + depth[1] + ")"))
            weaker = atomic_call(line)
            if weaker:
                start, end, changed = weaker
                add(number, "ordering weakened", replace(
                    start, end, "(mutant__({n}) ? " + changed + " : " + line[start:end] + ")"), True)
            # A statement of one line that gives nothing.
            statement = re.match(r"^(\s*)((?:_ = )?(?:try )?" + CALLEE + r"(?:\(.*\)|(?: [-+&|*^]{0,2}~?= ?| &= ~).*))$", line)
            if (statement and balanced(line) and follows_statement(previous) and ends_statement(following)
                    and not re.match(r"^\s*(return|super\.init|self\.init|case|let|var|precondition|fatalError|assert|add\b)", line)
                    and not re.search(r"\{ *$|\bin$", line) and "#selector" not in line):
                thread = in_lock or atomic is not None
                add(number, "statement dropped", replace(
                    statement.start(2), statement.end(2), "if !mutant__({n}) { " + statement[2] + " }"), thread)
                # Split there: another thread may take the lock before this statement.
                if in_lock and not locked[-1][2] and number > locked[-1][1] + 1:
                    add(number, "locked region split", replace(
                        statement.start(2), statement.start(2), "mutantCut__({n}); "), True)
            # Nothing is done.
            body = re.match(r"^\s*(?!.*->).*\bfunc .*\) (?:async )?\{$", line)
            if body:
                add(number, "function does nothing", replace(
                    len(line), len(line), " if mutant__({n}) { return }"))

        # Which locked regions the next line is in.
        depth_before = brace
        brace += opened - closed
        while locked and brace <= locked[-1][0]:
            locked.pop()
        if re.search(r"\.withLock \{[^{}]*$", line):
            locked.append((depth_before, number, False))
    return found


def replace(start, end, text):
    return lambda line, n: line[:start] + text.replace("{n}", str(n)) + line[end:]
