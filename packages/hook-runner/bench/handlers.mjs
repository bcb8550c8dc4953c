/** Counts the work of handlers, so that V8 cannot omit any of it. */
export const calls = { count: 0 };

/**
 * Creates handlers with different source code, like those of different plugins: V8 cannot treat
 * the call site as if it always called the same function.
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
