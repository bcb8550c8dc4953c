/** Value of a label for everything beyond its bound. */
const OTHER = "other";

/**
 * Bounds the number of values of a label, so that names from plugins and providers cannot make a scrape grow
 * without limit (GW-050).
 */
export class BoundedLabel {
  readonly #maximum: number;
  readonly #values = new Set<string>();

  /** @param maximum - number of different values; later ones count as `other` */
  constructor(maximum: number) {
    this.#maximum = maximum;
  }

  /**
   * Returns the value of the label for a name.
   * @param name - name of a tool, a model or a plugin
   */
  of(name: string): string {
    if (this.#values.has(name)) return name;
    if (this.#values.size >= this.#maximum) return OTHER;
    this.#values.add(name);
    return name;
  }
}
