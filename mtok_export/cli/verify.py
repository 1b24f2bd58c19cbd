"""``mtok verify``: a tokenizer file against the model directory that it was made from."""

from __future__ import annotations

import json
from pathlib import Path

import click

from mtok_export.cli.options import EXISTING_FILE, engine_choice, engine_options, llm_config_option
from mtok_export.cli.progress import progress_bar


@click.command("verify")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--path", required=True, type=click.Path(path_type=Path), help="Model directory, or a tokenizer.json.")
@engine_options
@click.option("--texts", type=EXISTING_FILE, help="Further texts: one a line, or JSON lines if it ends in .jsonl.")
@click.option("--report", type=EXISTING_FILE, help="The report of the export: its limits name differences in advance.")
@click.option("--allow-named", is_flag=True, help="Differences that a limit of the report names are no failure.")
@click.option("--chat-template", type=EXISTING_FILE, help="The chat template that was given to mtok export.")
@click.option("--chat-template-name", help="The name of the chat template that was given to mtok export.")
@llm_config_option
@click.option(
    "--show", type=click.IntRange(min=0), default=2, show_default=True, help="Differences to show per aspect."
)
@click.option("--json", "as_json", is_flag=True, help="Print the result, with all differences, as JSON.")
def verify_command(
    file: Path,
    path: Path,
    engine: str,
    engine_python: str | None,
    deadline: float | None,
    texts: Path | None,
    report: Path | None,
    allow_named: bool,
    chat_template: Path | None,
    chat_template_name: str | None,
    llm_config: Path | None,
    show: int,
    as_json: bool,
) -> None:
    """Compare what the engine makes of FILE with what Hugging Face makes of the directory it comes from.

    Ids, streaming, whole decoding and conversations are compared on the built-in texts, on texts made from the
    tokenizer's own added tokens, and on those of --texts.  The exit code is 0 only if nothing differs, or nothing but
    what --report names and --allow-named allows.
    """
    from mtok_export.verify import STEPS, read_texts, verify
    from mtok_export.verify.engines import DEADLINE_SECONDS

    engine_choice(engine, engine_python, deadline)
    with progress_bar(STEPS) as progress:
        result = verify(
            path,
            file,
            engine=engine,
            engine_python=engine_python,
            deadline=DEADLINE_SECONDS if deadline is None else deadline,
            texts=() if texts is None else read_texts(texts),
            report=report,
            chat_template=chat_template,
            chat_template_name=chat_template_name,
            llm_config=llm_config,
            progress=progress,
        )
    passed = result.passed(allow_named=allow_named)
    if as_json:
        click.echo(json.dumps({"file": str(file), "passed": passed, **result.as_dict()}, indent=2))
    else:
        from mtok_export.cli.verify_table import lines

        for line in lines(result, str(file), show):
            click.echo(line)
    if not passed:
        click.get_current_context().exit(1)
