/**
 * Makes a queue that does one piece of work after another, in the order in which they were asked for.
 * @returns runs a piece of work once all before it have settled, however they did; its failure is the
 *   returned promise's
 */
export function createSerialWork(): <Value>(work: () => Promise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
}
