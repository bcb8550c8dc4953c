import type { ConversationPartner } from "@openclaw/client/conversation";
import { isDemoModel } from "../demo-label.js";

/** Which models see images, as far as the gateway knows. */
export class VisionOfModels {
  readonly #partner: Pick<ConversationPartner, "call">;
  readonly #changed: () => void;
  #blind: ReadonlySet<string> | undefined;

  /**
   * @param partner - gateway, which is asked once, when the first image is attached
   * @param changed - called when the answer is there
   */
  constructor(partner: Pick<ConversationPartner, "call">, changed: () => void) {
    this.#partner = partner;
    this.#changed = changed;
  }

  /**
   * Returns the warning about an image for a model that does not see it.
   * @param model - `provider/model`
   * @returns undefined for a model that sees images, and for one of which the gateway does not know it
   */
  warningFor(model: string): string | undefined {
    if (this.#blind === undefined) {
      this.#blind = new Set();
      void this.#read();
    }
    if (!isDemoModel(model) && !this.#blind.has(model)) return undefined;
    return `${model} does not see images; /model chooses another model`;
  }

  async #read(): Promise<void> {
    try {
      const { models } = await this.#partner.call("models.list", {});
      const blind = models.filter(({ capabilities }) => capabilities?.includes("image") === false);
      this.#blind = new Set(blind.map(({ model }) => model));
      this.#changed();
    } catch {
      // Without an answer there is no warning, and the provider of the model decides.
    }
  }
}
