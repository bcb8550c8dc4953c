/** Names of one record after redaction: names that become equal remain separate members. */
export class DistinctNames {
  readonly #taken = new Set<string>();
  readonly #numbers = new Map<string, number>();

  /**
   * Returns the name, with a number behind it if an earlier member has it.
   * @param name - a name as redacted
   */
  take(name: string): string {
    let free = name;
    while (this.#taken.has(free)) {
      const number = (this.#numbers.get(name) ?? 1) + 1;
      this.#numbers.set(name, number);
      free = `${name} (${number})`;
    }
    this.#taken.add(free);
    return free;
  }
}
