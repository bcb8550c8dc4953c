import { type Fields, fieldsOf } from "../../models/rejection.js";
import { DiscordRefusal, invalidField } from "./refusal.js";

// Times of https://docs.discord.com/developers/interactions/receiving-and-responding: an initial response within 3
// seconds, further ones as long as the token is valid, which is 15 minutes.
const ANSWER_MS = 3000;
const TOKEN_MS = 15 * 60_000;
/** Types of a response to a press of a button: message, deferred message, deferred update, update, dialog. */
const ANSWERS: ReadonlySet<unknown> = new Set([4, 5, 6, 7, 9]);

interface Interaction {
  readonly id: string;
  readonly token: string;
  readonly channelId: string;
  readonly at: number;
  isAcknowledged: boolean;
}

/** Presses of buttons that the app answers, by its response or by a request. */
export class DiscordInteractions {
  readonly #known = new Map<string, Interaction>();
  #now: () => number = Date.now;

  /**
   * Records an interaction.
   * @param interaction - ID, token and channel
   */
  add(interaction: Pick<Interaction, "id" | "token" | "channelId">): void {
    this.#known.set(interaction.token, { ...interaction, at: this.#now(), isAcknowledged: false });
  }

  /**
   * Lets time pass for the interactions.
   * @param ms - milliseconds
   */
  advance(ms: number): void {
    const before = this.#now;
    this.#now = () => before() + ms;
  }

  /**
   * Accepts the first answer of the app.
   * @param token - token of the interaction
   * @param body - type and content of the answer
   * @param id - ID of the interaction; absent for an answer in the response to its request
   * @throws DiscordRefusal for an unknown, late or repeated answer
   */
  acknowledge(token: string, body: Fields, id?: string): void {
    const found = this.#known.get(token);
    const isLate = found !== undefined && this.#now() - found.at > ANSWER_MS;
    if (found === undefined || isLate || (id !== undefined && found.id !== id)) {
      throw new DiscordRefusal(404, 10062, "Unknown interaction");
    }
    if (found.isAcknowledged) {
      throw new DiscordRefusal(400, 40060, "Interaction has already been acknowledged.");
    }
    if (!ANSWERS.has(body.type)) {
      const problem = "Value must be one of {1, 4, 5, 6, 7, 8, 9, 10, 12}.";
      throw invalidField(["type"], "BASE_TYPE_CHOICES", problem);
    }
    found.isAcknowledged = true;
  }

  /**
   * Returns the channel of an interaction that the app writes further messages for.
   * @param token - token of the interaction
   * @throws DiscordRefusal for a token that is unknown or older than 15 minutes, and before the first answer
   */
  channelOf(token: string): string {
    const found = this.#known.get(token);
    if (found === undefined || !found.isAcknowledged) {
      throw new DiscordRefusal(404, 10015, "Unknown Webhook");
    }
    if (this.#now() - found.at > TOKEN_MS) {
      throw new DiscordRefusal(401, 50027, "Invalid Webhook Token");
    }
    return found.channelId;
  }
}

/**
 * Returns the answer in the response to an interaction.
 * @param text - body of the response
 */
export function answerIn(text: string): Fields {
  try {
    return fieldsOf(JSON.parse(text)) ?? {};
  } catch {
    return {};
  }
}
