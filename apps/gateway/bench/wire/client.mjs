// The client of the bench. The floor is measured with the same one, so that what it costs cancels out.

const SESSIONS = 20;

/**
 * Returns a function that posts a message and resolves with the body of the answer.
 * @param url - up to the path of the API
 * @param headers - headers of every request
 * @param path - route below the URL
 */
export function createClient(url, headers = {}, path = "/chat/completions") {
  return async (body) => {
    const response = await fetch(`${url}${path}`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const answer = await response.text();
    if (!response.ok) throw new Error(`status ${response.status}: ${answer}`);
    return answer;
  };
}

/**
 * Lets callers make one request after another.
 * @param count - number of requests
 * @param callers - number of requests that are underway at once
 * @param ask - makes one; receives its number
 * @returns the time that each took, in milliseconds, and that of all, in seconds
 */
export async function load(count, callers, ask) {
  const times = [];
  let next = 0;
  const begun = performance.now();
  const caller = async () => {
    while (next < count) {
      const index = next;
      next += 1;
      const sent = performance.now();
      await ask(index);
      times.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return { times, seconds: (performance.now() - begun) / 1000 };
}

/**
 * Returns a function that runs a turn, in one of 20 sessions after another.
 * @param gateway - URL and token
 */
export function turnsOf({ url, token }) {
  const post = createClient(`${url}/v1`, { authorization: `Bearer ${token}` });
  return async (index) => {
    const answer = await post({
      model: "openclaw",
      user: `user-${index % SESSIONS}`,
      messages: [{ role: "user", content: `Question ${index} of some words?` }],
    });
    if (!answer.includes("An answer of some words.")) throw new Error(`no answer: ${answer}`);
  };
}

/**
 * Returns a function that runs a turn as {@link turnsOf} does, over the Messages API.
 * @param gateway - URL and token
 */
export function messagesOf({ url, token }) {
  const post = createClient(`${url}/v1`, { authorization: `Bearer ${token}` }, "/messages");
  return async (index) => {
    const answer = await post({
      model: "openclaw",
      max_tokens: 1000,
      metadata: { user_id: `user-${index % SESSIONS}` },
      messages: [{ role: "user", content: `Question ${index} of some words?` }],
    });
    if (!answer.includes("An answer of some words.")) throw new Error(`no answer: ${answer}`);
  };
}
