/** List of the messages of a fake platform; a test can wait for an entry. */
export class RecordedList<Entry> {
  readonly #entries: Entry[] = [];
  readonly #watchers = new Set<() => void>();

  /** Entries, oldest first. */
  get all(): readonly Entry[] {
    return this.#entries;
  }

  /**
   * Adds an entry.
   * @param entry - new entry
   */
  add(entry: Entry): void {
    this.#entries.push(entry);
    this.changed();
  }

  /** Lets waiting tests look again, after an entry changed. */
  changed(): void {
    for (const look of [...this.#watchers]) look();
  }

  /**
   * Waits for an entry.
   * @param matches - condition, for example on the text
   */
  find(matches: (entry: Entry, index: number) => boolean): Promise<Entry> {
    return new Promise((resolve) => {
      const look = () => {
        const found = this.#entries.find(matches);
        if (found === undefined) return false;
        this.#watchers.delete(look);
        resolve(found);
        return true;
      };
      if (!look()) this.#watchers.add(look);
    });
  }
}
