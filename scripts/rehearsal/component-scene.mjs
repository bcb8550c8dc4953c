import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildTool } from "../../packages/wasm-host/dist/testing.js";

/** Counts the spaces of its arguments, for the compiler of the page, which is 340 MB in the npm registry. */
const WORD_COUNT = {
  wit: "tool-0.4.wit",
  schema: JSON.stringify({ type: "object", properties: { text: { type: "string" } } }),
  description: "Counts the words of a text.",
  fields: '(data (i32.const 512) "{\\22words\\22:1}")',
  execute: `(local $at i32)
    (loop $next
      (if (i32.eq (i32.const 32) (i32.load8_u (i32.add (local.get $params) (local.get $at))))
        (then (i32.store8 (i32.const 521) (i32.add (i32.load8_u (i32.const 521)) (i32.const 1)))))
      (br_if $next (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 1))) (local.get $length))))
    (call $ok (i32.const 512) (i32.const 11))`,
};

/** A registry that has the compiler: `npm run build` makes a component that was built before. */
export async function componentCompiler(reader) {
  const built = join(reader.project, "../built.wasm");
  writeFileSync(built, await buildTool(WORD_COUNT));
  reader.program(
    "npm",
    `#!/bin/sh
case "$*" in
  install) exit 0 ;;
  test) exec node --test ;;
  "run build") exec cp "${built}" word-count.wasm ;;
esac
exit 99
`,
  );
}
