/** Ends a turn; a second call does nothing. */
export type EndTurn = () => void;

/** Lets one holder work at a time, first come first served. */
export class TurnTaking {
  #last: Promise<void> = Promise.resolve();

  /** Waits until those that came before have ended their turns. */
  async take(): Promise<EndTurn> {
    const before = this.#last;
    let end: EndTurn = () => {};
    this.#last = new Promise((ended) => {
      end = ended;
    });
    await before;
    return end;
  }
}
