/** Counts what handlers did, so that none of their work can be left out. */
export const calls = { count: 0 };

/**
 * Handlers that each have a source text of their own, as those of different plugins have: V8 cannot
 * treat the place that calls them as if it always called the same function.
 */
export function createHandlers(count, { answers, reads = false, callback = false }) {
  return Array.from({ length: count }, (_, index) => {
    const read = reads ? "event.params.depth + event.params.path.length + " : "";
    const work = `calls.count += ${read}${index + 1};`;
    const source = callback
      ? `(event, context, done) => { ${work} done(); }`
      : `${answers === "later" ? "async " : ""}(event, context) => { ${work} }`;
    return new Function("calls", `return ${source};`)(calls);
  });
}
