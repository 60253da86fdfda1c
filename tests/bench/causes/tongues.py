"""How each language says the statements of bodies, and how it fails when `step` is zero."""

from __future__ import annotations

from tests.bench.causes.render import MARK, Context, Tongue


class Python(Tongue):
    def let(self, name: str, expr: str, changes: bool) -> str:
        return f"{name} = {expr}"

    def add(self, name: str, expr: str) -> str:
        return f"{name} -= {expr[1:]}" if expr.startswith("-") else f"{name} += {expr}"

    def give(self, expr: str) -> str:
        return f"return {expr}"

    def note(self, text: str) -> str:
        return f"# {text}"

    def when(self, condition: str) -> list[str]:
        return [f"if {condition}:"]

    def each(self, name: str, count: str) -> list[str]:
        return [f"for {name} in range({count}):"]

    def of_two(self, name: str, *values: str) -> str:
        return {"div": "{} // {}", "least": "min({}, {})", "most": "max({}, {})"}[name].format(*values)

    def fail(self, mode: str, context: Context) -> list[str]:
        assert context.unit is not None
        choice = context.unit.style % 2
        frame = MARK + "frame"
        match mode:
            case "divide":
                return [f"whole = amount {('//', '%')[choice]} step{frame}", "return whole + step"]
            case "guard":
                if choice:
                    return [f'assert step > 0, "{context.feed}"{frame}', "return amount + step"]
                error = ("ValueError", "RuntimeError", "LookupError")[context.unit.style % 3]
                return ["if step <= 0:", f'    raise {error}("{context.feed}"){frame}', "return amount + step"]
            case "index":
                first = ("first = slots[0]", "first = max(slots)")[choice]
                return ["slots = [amount] * min(step, 8)", first + frame, "return first + step"]
            case "library":
                return [
                    "spread = [amount] * min(step, 8)",
                    f"mean = statistics.mean(spread){frame}",
                    "return mean + step",
                ]
        return [
            "rates = {turn: amount + turn for turn in range(1, 5)}",
            f"rate = rates[min(step, 4)]{frame}",
            "return rate + 1",
        ]


class LikeC(Tongue):
    """What languages with braces have in common."""

    end = ";"

    def add(self, name: str, expr: str) -> str:
        return (f"{name} -= {expr[1:]}" if expr.startswith("-") else f"{name} += {expr}") + self.end

    def give(self, expr: str) -> str:
        return f"return {expr}{self.end}"

    def note(self, text: str) -> str:
        return f"// {text}"


class EcmaScript(LikeC):
    indent = "  "

    def __init__(self, typed: bool) -> None:
        self.typed = typed

    def let(self, name: str, expr: str, changes: bool) -> str:
        return f"{'let' if changes else 'const'} {name} = {expr};"

    def when(self, condition: str) -> list[str]:
        return [f"if ({condition}) {{", "}"]

    def each(self, name: str, count: str) -> list[str]:
        return [f"for (let {name} = 0; {name} < {count}; {name} += 1) {{", "}"]

    def of_two(self, name: str, *values: str) -> str:
        said = {"div": "Math.trunc({} / {})", "least": "Math.min({}, {})", "most": "Math.max({}, {})"}
        return said[name].format(*values)

    def fail(self, mode: str, context: Context) -> list[str]:
        assert context.unit is not None
        style, frame, sure = context.unit.style, MARK + "frame", "!" if self.typed else ""
        match mode:
            case "divide":
                return [
                    f"const whole = Number(BigInt(amount) {'/%'[style % 2]} BigInt(step));{frame}",
                    "return whole + step;",
                ]
            case "guard":
                error = ("Error", "RangeError", "TypeError")[style % 3]
                return [
                    "if (step <= 0) {",
                    f'  throw new {error}("{context.feed}");{frame}',
                    "}",
                    "return amount + step;",
                ]
            case "index":
                slots = "const slots = Array.from({ length: Math.min(step, 8) }, () => ({ size: amount }));"
                return [slots, f"const first = slots[0].size;{frame}", "return first + step;"]
            case "library":
                return [f'const line = "-".repeat(Math.min(step - 1, 40));{frame}', "return amount + line.length;"]
        if style % 2:
            rates = "const rates = new Map([[1, { size: amount }], [2, { size: amount + 2 }]]);"
            return [rates, f"const rate = rates.get(Math.min(step, 2)){sure}.size;{frame}", "return rate + 1;"]
        turn = "turn: number" if self.typed else "turn"
        rates = f"const rates = Array.from({{ length: Math.min(step, 9) }}, (_, {turn}) => turn + 1);"
        return [rates, f"const rate = rates.reduce((one, other) => one + other);{frame}", "return rate + 1;"]


class Rust(LikeC):
    def let(self, name: str, expr: str, changes: bool) -> str:
        return f"let {'mut ' if changes else ''}{name} = {expr};"

    def when(self, condition: str) -> list[str]:
        return [f"if {condition} {{", "}"]

    def each(self, name: str, count: str) -> list[str]:
        return [f"for {name} in 0..{count} {{", "}"]

    def of_two(self, name: str, *values: str) -> str:
        return {"div": "{} / {}", "least": "i64::min({}, {})", "most": "i64::max({}, {})"}[name].format(*values)

    def fail(self, mode: str, context: Context) -> list[str]:
        unit = context.unit
        assert unit is not None
        choice, frame = unit.style % 2, MARK + "frame"
        match mode:
            case "divide":
                known = any(use.how == "read" for use in unit.uses[:1])  # the compiler would see it coming
                sign = ".checked_div(step).unwrap()" if known else f" {'/%'[choice]} step"
                return [f"let whole = amount{sign};{frame}", "return whole + step;"]
            case "guard":
                if choice:
                    return [f'assert!(step > 0, "{context.feed}");{frame}', "return amount + step;"]
                return ["if step <= 0 {", f'    panic!("{context.feed}");{frame}', "}", "return amount + step;"]
            case "index":
                slots = "let slots = vec![amount; step.min(8) as usize];"
                return [slots, f"let first = slots[0];{frame}", "return first + step;"]
            case "library":
                parts = "let parts = [amount, step].chunks(step.min(2) as usize).count();"
                return [parts + frame, "return amount + parts as i64;"]
        rates = "let rates = [(1, amount), (2, amount + 3)];"
        found = "let found = rates.iter().find(|rate| rate.0 == step.min(2));"
        taken = f'found.expect("{context.feed}")' if choice else "found.unwrap()"
        return [rates, found, f"let rate = {taken}.1;{frame}", "return rate + 1;"]


class Go(LikeC):
    indent = "\t"
    end = ""

    def let(self, name: str, expr: str, changes: bool) -> str:
        return f"{name} := {expr}"

    def when(self, condition: str) -> list[str]:
        return [f"if {condition} {{", "}"]

    def each(self, name: str, count: str) -> list[str]:
        return [f"for {name} := 0; {name} < {count}; {name}++ {{", "}"]

    def of_two(self, name: str, *values: str) -> str:
        return {"div": "{} / {}", "least": "min({}, {})", "most": "max({}, {})"}[name].format(*values)

    def fail(self, mode: str, context: Context) -> list[str]:
        assert context.unit is not None
        choice, frame = context.unit.style % 2, MARK + "frame"
        match mode:
            case "divide":
                return [f"whole := amount {'/%'[choice]} step{frame}", "return whole + step"]
            case "guard":
                said = f'"{context.feed}"' if choice else f'errors.New("{context.feed}")'
                return ["if step <= 0 {", f"\tpanic({said}){frame}", "}", "return amount + step"]
            case "index":
                return [
                    "slots := make([]int, min(step, 8))",
                    f"first := slots[0]{frame}",
                    "return first + amount + step",
                ]
            case "library":
                return [f'line := strings.Repeat("-", min(step-1, 40)){frame}', "return amount + len(line)"]
        rates = "rates := map[int]*int{1: &amount, 2: &amount, 3: &step}"
        return [rates, f"rate := *rates[min(step, 3)]{frame}", "return rate + 1"]
