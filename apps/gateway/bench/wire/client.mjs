// The client of the bench. The floor is measured with the same one, so that what it costs cancels out.

/**
 * Returns a function that posts a message and resolves with the body of the answer.
 * @param url - up to the path of the API
 * @param headers - headers of every request
 */
export function createClient(url, headers = {}) {
  return async (body) => {
    const response = await fetch(`${url}/chat/completions`, {
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
