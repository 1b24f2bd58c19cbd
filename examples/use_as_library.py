"""Export a tokenizer from Python, look at what will differ, and see what the engine makes of a text.

python examples/use_as_library.py MODEL_DIR OUT_FILE
"""

from __future__ import annotations

import sys
from pathlib import Path

from mtok_export import Fidelity, MtokError, export
from mtok_export.engine.model import EngineModel
from mtok_export.format import read


def main(model_dir: Path, out_file: Path) -> int:
    try:
        report = export(model_dir, out_file)
    except MtokError as error:
        print(f"not exported: {error}", file=sys.stderr)
        return 1
    for limit in report.limits:
        if limit.fidelity is Fidelity.APPROXIMATE:
            print(f"{limit.path}: {limit.reason} (for example {limit.example!a})")
    engine = EngineModel(read(out_file))
    ids = engine.encode("Hello, world!")
    print("ids:", *ids)
    print("text:", engine.decode(ids).decode("utf-8"))
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
