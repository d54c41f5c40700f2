"""Finds the command lines of load generators in a text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, islice
from pathlib import PurePath
from typing import Any, Final

from benchkit import registry
from benchkit.text import Text, bare
from benchkit.tool import Tool, program_of, shell_words

#: Prompts of shells: PowerShell, a virtual environment, oh-my-zsh with a branch, cmd, others.
_PROMPT: Final = re.compile(
    r"^(?:PS\s++[^<>|]*+>\s*+|\([\w.-]++\)\s++"
    r"|[➜❯»λ]\s++\S++\s++git:\([^\s)]*+\)\s++(?:✗\s++)?|[A-Za-z]:\\[^<>|]*+>\s*+"
    r"|[\w.~/\\:@\[\]-]*+[$#%>❯»➜λ]\s++|[$%❯>]\s*+)"
)
#: What may end any other prompt (`[root@box ~]# `, `Mac:~ me$ `), or precede a command in a page.
_PROMPT_END: Final = re.compile(
    r"(?:[$#%>❯➜»λ✗➔`!：]|:\s)\s*+(?:~\S{0,200}+\s++)?"  # noqa: RUF001 - as pages print it
    r"|^(?:~\S*+|[0-9]{1,2}[.)]|\+++|%sh)\s++"
)
#: A prompt with the machine's name, `me@laptop:~$`, `[me@laptop ~]$`.
_MACHINE: Final = re.compile(
    r"\s*+(?:\([\w.-]++\)\s*+)?\[?[\w.-]++@([\w.-]++)[ :][^$#%>❯]*+[$#%>❯]\s"
)
#: A prompt with a folder: `me@laptop:~/nginx$`, `[me@laptop nginx]$`, `PS C:\nginx>`, `➜  nginx`.
_PROMPT_FOLDER: Final = re.compile(
    r"(?:\([\w.-]++\)\s*+)?(?:[\w.-]++@[\w.-]++:\s?([~/][^\s$#%>❯]*+)\s?[$#%>❯]\s"
    r"|\[[\w.-]++@[\w.-]++ ([^\]\s]++)\][$#%>]\s"
    r"|(?:PS\s)?[A-Za-z]:([^<>|:\s]*+)>"
    r"|➜\s++([\w.~/-]++)\s)"
)
#: A prompt of one word, or as zsh and bash print it on a Mac, `Mac:~ me$`, or Windows.
_SHORT: Final = re.compile(
    r"(?:(?:\S{0,60}?[$#%>❯➜]|[\w.-]++:\S*+ [\w.-]++[$%])\s++"
    r"|(?:PS\s[^<>|]{1,120}+|[A-Za-z]:\\[^<>|]{0,120}+)>\s*+)(?=\S)"
)
_AMOUNT: Final = re.compile(r"[0-9]%\s\Z")
_LONGEST_TYPED: Final = 200
#: Options of load generators that name a file of what is sent.
_FILES: Final = ("script", "targets")
_SHELLS: Final = {
    "PowerShell": re.compile(r"^\s*+PS\s++[^<>|]++>"),
    "cmd": re.compile(r"^\s*+[A-Za-z]:\\[^<>|]*+>"),
    "sh": re.compile(r"^\s*+[\w.~/:\[\]-]*+\s?[$%❯➜λ]\s"),
}
_INLINE: Final = re.compile(r"(`+)([^`]+)\1|(\*\*)(.+?)\3")
_FOLDER: Final = re.compile(r"(?<!\S)(?:\.|[A-Za-z]:(?:\\[\w.-]+)*)\\(?=[\w.-]+\s)")
_MOST_ENDS: Final = 20
_DASH: Final = re.compile(r"(?<=\s)[\u2013\u2014\u2212]{1,2}(?=[A-Za-z])")
_LINK: Final = re.compile(r"\[(https?://[^\[\]\s]++)\]\([^()\s]*+\)")
_AUTOLINK: Final = re.compile(r"<(https?://[^<>\s]++)>")
_PIPE_INTO: Final = re.compile(
    r"\b(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\s++(https?://[^\s\"'|]++)"
)
_WRAPPERS: Final = {
    *("npx", "sudo", "time", "exec", "env", "nohup", "bunx", "taskset", "timeout", "docker", "do"),
    *("nice", "numactl"),
}
_OPTION: Final = re.compile(r"--?\w")
#: What stands behind a program's name in a banner: its version, or a dash.
_BANNER: Final = re.compile(r"v?[0-9]++(?:\.[0-9]++){0,2}[:,;]?|-{1,2}")
_TOGETHER: Final = re.compile(r"\s&\s++(?=\S)")
#: What stands between quotes, and what parts the commands of a line.
_QUOTED_OR_END: Final = re.compile(r"'[^']*+'|\"[^\"]*+\"|(\|\|?|&&|;|2>&1|>>?|<)")
_MAX_LINE: Final = 4000
#: The first word of a command; nothing where a quote that opens it is never closed.
_FIRST_WORD: Final = re.compile(r"\s*+((?>(?:'[^']*'|\"[^\"]*\"|[^\s'\"]++)+))")
#: A blank, or an end of a line in a string.
_BLANK: Final = r"(?:\s|\\{1,4}[rnt])"
#: A variable that a shell sets for the command behind it.
_SETTING: Final = re.compile(r"[^\W\d]\w*+\+?=")
#: Words of one command that may be the program it calls.
_MOST_PROGRAMS: Final = 4
#: Commands of a file that are all read, and of more those above each run, of many runs fewer.
_MOST_READ, _NEAREST, _FEW_HOSTS = 2000, 10, 20
#: A line that may be a command, or several that go on, and which are the first and the last.
_Typed = tuple[str, int, int]


#: What leaves a server running.
_DAEMON: Final = re.compile(
    r"(?:sudo )?(?:(?:docker|podman)(?:-compose| compose)? (?:run|start|up)|systemctl (?:re)?start"
    r"|service \S++ (?:re)?start)\b.*+"
)
#: Where the output of a command goes.
_REDIRECTED: Final = re.compile(r" (?:[0-9]?>>?|&>>?) ?(?:&[0-9]|[^ &]++)")
#: Programs that start no server; those called `kill` end one.
_BYSTANDERS: Final = {
    *("tcpdump", "top", "htop", "perf", "sleep", "tail", "vmstat", "pidstat", "iostat", "dstat"),
    *("sar", "strace", "watch", "wait", "kill", "pkill", "killall", "cd", "ls", "echo", "curl"),
}


#: A comment, with an arrow or not.
_COMMENT: Final = re.compile(r"#{1,6}+(?:[=-]>|>)?\s++(\S.*)")
#: What a command has and a name has not: an option, a path, an assignment, a pipe.
_TYPED: Final = re.compile(r"(?:^|\s)--?\w|[/=|;&<>`]")
#: Further programs that stand in a shell at a comment's place, where root types.
_OF_ROOT: Final = _BYSTANDERS | {
    *("cat", "sudo", "docker", "service", "systemctl", "make", "go", "npm", "export", "yum"),
    *("apt", "apt-get", "reboot"),
}


@dataclass(frozen=True)
class CommandLine:
    """A command line of a load generator.

    Attributes:
        line, last: Its first and last line, from 0.
        tool: The load generator.
        text: The line without its prompt.
        columns: What it says about the run, as columns of `runs`.
        shell: The shell or the machine of the prompt in front of it, None without one.
        script: The name of the file that says what is sent, wherever it lies.
        of_many: Whether there may be others of its URL, in lines that were not read.
    """

    line: int
    tool: str
    text: str
    columns: Mapping[str, Any]
    last: int = 0
    shell: str | None = None
    script: str | None = None
    of_many: bool = False


def comment_of(line: str) -> str | None:
    """Return the words of a comment at the prompt of a shell, None where there is none."""
    for prompt in (_MACHINE.match(line), _PROMPT.match(line)):
        if prompt and line.startswith("#", prompt.end()):
            return line[prompt.end() :].lstrip("#").strip() or None
    return None


def comment_in_code(line: str) -> str | None:
    """Return the words of a comment in code; None where root may have typed them."""
    matched = _COMMENT.match(line)
    if matched is None or _TYPED.search(matched[1]) or matched[1].split()[0] in _OF_ROOT:
        return None
    return matched[1]


def typed(line: str) -> str | None:
    """Return what was typed at the prompt of a shell, None where there is none or it is long."""
    stripped = line.strip()
    machine = _MACHINE.match(stripped)
    # `me@example.com: cores 50% busy` is prose.
    prompt = machine if machine and not _AMOUNT.search(machine[0]) else _SHORT.match(stripped)
    command = stripped[prompt.end() :].lstrip() if prompt else ""
    return command if 0 < len(command) <= _LONGEST_TYPED else None


def folder_of(line: str) -> str | None:
    """Return the folder that the prompt of a shell names in a line, with `/` between its parts."""
    prompt = _PROMPT_FOLDER.match(line.strip())
    folder = next(filter(None, prompt.groups()), "") if prompt else ""
    return folder.replace("\\", "/").rstrip("/") or None


def server_of(commands: Sequence[str], running: str | None = None) -> str | None:
    """Return which server runs below some commands, by the one that started it.

    None where it is not known: any may have ended what was `running` above them.
    """
    server = running
    for command in commands:
        words = command.removeprefix("sudo ").split()
        if words[0] in _BYSTANDERS:
            server = None if "kill" in words[0] else server
            continue
        started = command[:-1] if command.endswith("&") else None
        started = command if started is None and _DAEMON.fullmatch(command) else started
        call = _REDIRECTED.sub("", f"{started or ''} ").strip()
        server = None if re.search(r"[&|;<>]", call) else call.replace(" restart", " start") or None
    return server


def read_command(line: str) -> CommandLine | None:
    """Return what a line says as a command of a load generator, None if it is none."""
    text = _PROMPT.sub("", line.strip()).strip()
    inline = _INLINE.match(text)
    text = (inline[2] or inline[4]) if inline else text.strip("`")
    # Output goes on to the end of its line: far behind what a command may have, none is sought.
    text = _output().sub("", text[: 2 * _MAX_LINE])
    if not text or len(text) > _MAX_LINE:
        return None
    together = _TOGETHER.split(text)
    if len(together) > 1:
        calls = [call for part in together if (call := read_command(part)) is not None]
        # Of several at once, which of them a report below is of is not told.
        return calls[0] if len(calls) == 1 else None
    tried: set[str] = set()
    commands = (_called(rest, tried) for rest in chain([text], _behind_prompts(text)))
    return next(filter(None, commands), None)


def _behind_prompts(text: str) -> Iterator[str]:
    """Yield what stands behind anything that may end a prompt, or a label such as `Command:`."""
    last = max((name.start() for name in _names().finditer(text)), default=-1)
    quotes = 0
    for prompt in islice(_PROMPT_END.finditer(text), _MOST_ENDS):
        if prompt.end() > last:
            return
        rest = text[prompt.end() :].strip()
        # Its further parts are those of what was tried before, unless a quote between is left out.
        before, quotes = quotes, sum(text.count(mark, 0, prompt.end()) for mark in "'\"")
        if quotes == before and not _may_lead(rest.lstrip("`*")):
            continue
        if not prompt[0].startswith("`"):
            yield rest.strip("`*")
        elif "`" not in rest.rstrip(" .:：。`"):  # noqa: RUF001 - as pages end a sentence
            yield rest.rstrip(" .:：。`")  # noqa: RUF001


def _shell(line: str) -> str | None:
    """Return whose prompt a line begins with: a machine's, or that of a kind of shell."""
    machine = _MACHINE.match(line)
    if machine is not None:
        return machine[1]
    return next((name for name, prompt in _SHELLS.items() if prompt.match(line)), None)


def _called(text: str, tried: set[str]) -> CommandLine | None:
    """Return the call of a load generator that a text, without a prompt, is.

    `tried` are parts of commands that call none; it grows.
    """
    known = registry.programs()
    for words in _pipeline(_as_typed(text), tried):
        programs = ((at, known.get(program_of(word))) for at, word in _that_may_call(words))
        for at, tool in islice(((at, tool) for at, tool in programs if tool), _MOST_PROGRAMS):
            arguments = words[at + 1 :]
            if not _is_call(tool, arguments):
                continue
            columns = dict(tool.read(arguments))
            if not columns:
                continue  # vegeta report, wrk --version: no run
            piped = _PIPE_INTO.search(text)
            if piped and tool.piped:
                columns |= {"method": piped[1], "url": piped[2]}
            # A program may go by another's name: wrk2's is called wrk.
            name, script = columns.pop("tool", tool.name), _script(tool, arguments)
            return CommandLine(0, name, text, columns, script=script)
    return None


def _script(tool: Tool, arguments: Sequence[str]) -> str | None:
    given = dict(tool.options(arguments))
    files = (PurePath(given[option].replace("\\", "/")) for option in _FILES if option in given)
    return next((file.stem for file in files if file.stem), None)


def _as_typed(text: str) -> str:
    """Return a command without a folder of Windows, and the dashes and links that pages make."""
    if "\\" in text:
        text = _FOLDER.sub("", text)
    if "://" in text:
        text = _AUTOLINK.sub(r"\1", _LINK.sub(r"\1", text))
    return text if text.isascii() else _DASH.sub("-", text)


def find_commands(
    text: Text,
    *,
    until: int | None = None,
    hosts: Collection[str] = (),
    runs: Collection[int] | None = None,
) -> Iterator[CommandLine]:
    """Yield the command lines in a text; a trailing backslash joins lines.

    Those that begin below line `until` count only where they name one of `hosts`. Of thousands
    only those are read that are the last above a line at which one of `runs` begins, and some that
    name a host.
    """
    read = cache(read_command)  # a page repeats its commands
    lines = [*_typed_lines(text, len(text) if until is None else until, hosts)]
    worth, known = (lines, True) if runs is None else _worth(lines, runs, hosts)
    for line, first, last in worth:
        command = read(line)
        if command is not None:
            shell = _shell(line)
            yield replace(command, line=first, last=last, shell=shell, of_many=not known)


def _worth(
    lines: Sequence[_Typed], runs: Collection[int], hosts: Collection[str]
) -> tuple[Sequence[_Typed], bool]:
    """Return what is worth to be read of lines that may be commands: all, unless they are many.

    And whether all of them are among these that name a host.
    """
    if len(lines) <= _MOST_READ:
        return lines, True
    firsts, chosen = [first for _, first, _ in lines], set[int]()
    nearest = min(_NEAREST, max(2, 4 * _MOST_READ // max(len(runs), 1)))
    for run in runs:
        end = bisect_right(firsts, run)
        chosen.update(range(max(end - nearest, 0), end))
    wanted = hosts if len(hosts) <= _FEW_HOSTS else ["://"]
    calling = [n for n, (line, *_) in enumerate(lines) if _names_any(line, wanted)]
    chosen.update(calling[:_MOST_READ])
    known = wanted is hosts and len(calling) <= _MOST_READ
    return [lines[n] for n in sorted(chosen)], known


def _typed_lines(text: Text, until: int, hosts: Collection[str]) -> Iterator[_Typed]:
    """Yield the lines that may be commands, as far as that is cheap to tell."""
    whole = "\n".join(text.lines)
    if not ("<" in whole or "&" in whole or _words().search(whole)):
        return  # no line names a program, nor may when tags and entities are gone
    below, number = "\n".join(text.lines[until + 1 :]), 0
    stop = until + 1 if _is_plain(below) and not _names_any(below, hosts) else len(text)
    while number < min(stop, len(text)):
        source = text.lines[number]
        if number > until and _is_plain(source) and not _names_any(source, hosts):
            number += 1
            continue
        first, parts = number, [bare(source)]
        while parts[-1].endswith("\\") and number + 1 < len(text):
            number += 1
            parts[-1] = parts[-1][:-1].rstrip()
            parts.append(bare(text.lines[number]))
        number += 1
        line = " ".join(parts)
        if first > until and not _names_any(line, hosts):
            continue
        if _calls().search(line):
            yield line, first, number - 1


def _is_plain(line: str) -> bool:
    """Whether a line says what it shows: it has no tags and entities, and does not go on below."""
    return not ("\\" in line or "<" in line or "&" in line)


def _names_any(line: str, hosts: Collection[str]) -> bool:
    """Whether a line names any of some hosts."""
    small = line.lower()
    return any(host in small for host in hosts)


@cache
def _words() -> re.Pattern[str]:
    """Return what finds the name of any program."""
    return re.compile("|".join(map(re.escape, registry.programs())))


@cache
def _names() -> re.Pattern[str]:
    """Return what finds the name of any program where it may be a word of a command.

    Before it are a folder, a quote, a prompt; `λ` is a letter and such a prompt.
    """
    return re.compile(rf"(?<![^\Wλ])(?:{_words().pattern})(?!\w)")


@cache
def _arguments() -> re.Pattern[str]:
    """Return what finds an option, a URL or a verb, one of which every call has."""
    return re.compile("|".join(["-", "://", *_verbs()]))


@cache
def _verbs() -> Sequence[str]:
    """Return patterns of the verbs of all tools."""
    verbs = {verb for tool in registry.tools().values() for verb in tool.verbs}
    return [re.escape(verb) for verb in sorted(verbs)]


@cache
def _calls() -> re.Pattern[str]:
    """Return what finds a program and, next to it or one word farther, such an argument.

    Most lines that name one are no calls, and to take a line apart as a shell does takes long.
    """
    word = r"(?:\"[^\"]{0,200}\"|'[^']{0,200}'|\S{1,500})"
    argument = rf"[-\u2013\u2014\u2212]|\S{{0,100}}://|(?:{'|'.join(_verbs())})(?![\w-])"
    opening = r"[\"'<\[(]?"
    return re.compile(
        rf"{_names().pattern}(?:\.\w{{1,4}})?[\"'`*]{{0,2}}\s++(?:{word}\s++)?{opening}(?:{argument})"
    )


@cache
def _output() -> re.Pattern[str]:
    """Return how output begins that a page, or a string, has right behind what printed it."""
    known = dict.fromkeys(tool.opening for tool in registry.tools().values() if tool.opening)
    # A line end may be two characters of a string.
    openings = [opening.replace(r"\s+", rf"{_BLANK}++") for opening in known if opening]
    between = rf"(?:(?<!\s)\s++|(?<=[^\s\\])\\++(?:r\\++)?n){_BLANK}{{0,9}}+"
    return re.compile(rf"{between}(?:{'|'.join(openings)}).*")


def _that_may_call(words: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the words that may be a program, by what is before them, and which they are.

    That is nothing, settings, or a wrapper and its arguments.
    """
    wrapped = words[0] in _WRAPPERS if words else False
    for at, word in enumerate(words):
        yield at, word
        if not wrapped and not _SETTING.match(word):
            return


def _is_call(tool: Tool, arguments: list[str]) -> bool:
    # "ab is a tool" is prose and "wrk 4.2.0 - a tool" a banner; "ab -n 10 http://…" and
    # "vegeta attack -rate=5" are calls.
    first = arguments[:2]
    banner = bool(first) and _BANNER.fullmatch(first[0]) is not None
    return not banner and any(_OPTION.match(a) or "://" in a or a in tool.verbs for a in first)


def _pipeline(text: str, tried: set[str]) -> Iterator[list[str]]:
    """Yield the words of each part of a command that may call a load generator."""
    for part in _parts(text) if _names().search(text) else ():
        if part in tried:
            continue
        tried.add(part)
        if not _may_call(part):
            continue
        yield shell_words(part)


def _may_call(part: str) -> bool:
    """Whether a part of a command may call a load generator, as far as that is cheap to tell.

    Most do not, by their first word or as nothing stands in them that `_is_call` looks for.
    """
    return _may_lead(part) and _arguments().search(part) is not None


def _may_lead(part: str) -> bool:
    """Whether the first word of a command may call a load generator, or stand before what does."""
    matched = _FIRST_WORD.match(part)
    first = re.sub(r"['\"]", "", matched[1]) if matched else ""
    known = first in _WRAPPERS or program_of(first) in registry.programs()
    # Or a folder with a blank.
    return known or first.endswith("\\") or _SETTING.match(first) is not None


def _parts(text: str) -> Iterator[str]:
    """Yield the parts between bars and the like, outside of quotes."""
    start = 0
    for matched in _QUOTED_OR_END.finditer(text):
        if matched[1]:
            yield text[start : matched.start()]
            start = matched.end()
    yield text[start:]
