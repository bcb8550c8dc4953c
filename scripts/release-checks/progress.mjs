import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The finished part of a check, kept in a file after each chunk so that an interrupted check continues. Work of another
 * commit or of another size is discarded: it proves nothing for this one.
 */
export class Progress {
  #file;
  #state;

  /**
   * @param folder - folder of the results
   * @param check - row of the table, with the amounts of this run
   * @param commit - commit that is checked
   * @param seed - first seed of a check that begins
   */
  constructor(folder, { name, total, chunk }, commit, seed) {
    mkdirSync(folder, { recursive: true });
    this.#file = join(folder, `${name}.json`);
    const kept = existsSync(this.#file) ? JSON.parse(readFileSync(this.#file, "utf8")) : undefined;
    const fits = kept?.commit === commit && kept.total === total && kept.chunk === chunk;
    this.#state = fits ? kept : { name, commit, total, chunk, seed, done: 0, ms: 0 };
  }

  /** Amount that is done, duration in milliseconds, and the failure that stopped it. */
  get state() {
    return this.#state;
  }

  /** Returns the next chunk; undefined when all are done. */
  next() {
    const { total, chunk, done, seed } = this.#state;
    if (done >= total) return undefined;
    return { amount: Math.min(chunk, total - done), seed: seed + Math.round(done / chunk) };
  }

  /** Records a chunk that passed. */
  pass({ amount }, ms) {
    const { failure: _failure, ...state } = this.#state;
    this.#save({ ...state, done: state.done + amount, ms: state.ms + ms });
  }

  /** Records a chunk that failed; it is the next one again. */
  fail(failure, ms) {
    this.#save({ ...this.#state, failure, ms: this.#state.ms + ms });
  }

  #save(state) {
    this.#state = state;
    writeFileSync(`${this.#file}.new`, `${JSON.stringify(state, null, 2)}\n`);
    renameSync(`${this.#file}.new`, this.#file);
  }
}
