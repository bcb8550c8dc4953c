// Time to embed a chunk and to load the model.
import { readFileSync } from "node:fs";
import { stdout } from "node:process";
import { loadWordEmbeddings } from "@openclaw/embeddings-en";

const started = performance.now();
const model = loadWordEmbeddings();
report({ metric: "load", value: performance.now() - started, unit: "ms", n: 1, goal: 100 });

const notes = JSON.parse(
  readFileSync(new URL("../test/paraphrases.json", import.meta.url), "utf8"),
).map(({ note }) => note);
const chunk = notes.join(" ");
const CALLS = 2000;
for (const [metric, text, goal] of [
  ["sentence", notes[0], 50],
  [`chunk of ${chunk.split(" ").length} words`, chunk, 1000],
]) {
  for (let call = 0; call < CALLS; call += 1) model.embed(text);
  const before = performance.now();
  for (let call = 0; call < CALLS; call += 1) model.embed(text);
  const value = ((performance.now() - before) / CALLS) * 1000;
  report({ metric, value, unit: "µs", n: CALLS, goal });
}

function report({ value, ...line }) {
  const result = { package: "@openclaw/embeddings-en", bench: "embed", better: "lower", ...line };
  stdout.write(`${JSON.stringify({ ...result, value: Number(value.toFixed(2)) })}\n`);
}
