#!/usr/bin/env bash
# Export the tokenizer of a model directory, prove it on the engine, and fail on any difference that the report does not
# name.  The step of a model-conversion pipeline:
#
#     examples/export_and_verify.sh MODEL_DIR OUT_DIR
#
# OUT_DIR gets tokenizer.mtok, export-report.json and verify-report.json; the reports are worth keeping with the build.
set -euo pipefail

model_dir=${1:?usage: export_and_verify.sh MODEL_DIR OUT_DIR}
out_dir=${2:?usage: export_and_verify.sh MODEL_DIR OUT_DIR}
mkdir -p "$out_dir"

mtok export --path "$model_dir" --out "$out_dir/tokenizer.mtok" --report "$out_dir/export-report.json"
mtok validate "$out_dir/tokenizer.mtok"
mtok verify --path "$model_dir" "$out_dir/tokenizer.mtok" \
    --report "$out_dir/export-report.json" --allow-named --json > "$out_dir/verify-report.json"
echo "tokenizer.mtok is ready in $out_dir"
