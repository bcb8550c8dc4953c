// Receives letters as JSON at a webhook, and sends the answers of the agent to a URL.
import { emitMessage, workspaceRead, workspaceWrite } from "../adapter/host";
import { parsed, quoted } from "../adapter/json";
import { addressOf, bytesOf, result, storeText, textOf } from "../adapter/memory";
import { note, send } from "../adapter/requests";

export { realloc } from "../adapter/memory";

/** File with the URL of answers: each callback has a fresh instance, which keeps nothing. */
const REPLY_FILE = "reply-url";

export function onStart(config: usize, length: i32): usize {
  const at = result(40);
  const settings = parsed(textOf(config, length));
  const url = settings === null ? "" : settings.textOf("reply_url");
  if (url == "") {
    store<u8>(at, 1);
    storeText(at + 4, 'the capabilities file has no "config": { "reply_url": … }');
    return at;
  }
  const file = bytesOf(REPLY_FILE);
  const content = bytesOf(url);
  workspaceWrite(addressOf(file), file.byteLength, addressOf(content), content.byteLength, result(12));
  storeText(at + 4, "Letterbox");
  const methods = result(8);
  storeText(methods, "POST");
  const endpoint = result(20);
  storeText(endpoint, "/webhook/letterbox");
  store<usize>(endpoint + 8, methods);
  store<i32>(endpoint + 12, 1);
  store<u8>(endpoint + 16, 1);
  store<usize>(at + 12, endpoint);
  store<i32>(at + 16, 1);
  return at;
}

export function onHttpRequest(
  method: usize, methodLength: i32, path: usize, pathLength: i32, headers: usize, headersLength: i32,
  query: usize, queryLength: i32, body: usize, bodyLength: i32, isValidated: i32,
): usize {
  const letter = parsed(textOf(body, bodyLength));
  const sender = letter === null ? "" : letter.textOf("from");
  const text = letter === null ? "" : letter.textOf("text");
  if (sender == "" || text == "") return response(400, '{"error":"expected {\\"from\\":…,\\"text\\":…}"}');
  const thread = letter === null ? "" : letter.textOf("thread");
  const parts = [bytesOf(sender), bytesOf(text), bytesOf(thread), bytesOf('{"to":' + quoted(sender) + "}")];
  emitMessage(
    addressOf(parts[0]), parts[0].byteLength, 0, 0, 0, addressOf(parts[1]), parts[1].byteLength,
    thread == "" ? 0 : 1, addressOf(parts[2]), parts[2].byteLength, addressOf(parts[3]), parts[3].byteLength,
  );
  return response(202, '{"accepted":true}');
}

export function onPoll(): void {}

export function onRespond(
  id: usize, idLength: i32, content: usize, contentLength: i32, hasThread: i32, thread: usize, threadLength: i32,
  metadata: usize, metadataLength: i32,
): usize {
  const at = result(12);
  const known = parsed(textOf(metadata, metadataLength));
  const to = known === null ? "" : known.textOf("to");
  const letter =
    '{"to":' + quoted(to) + (hasThread != 0 ? ',"thread":' + quoted(textOf(thread, threadLength)) : "") +
    ',"text":' + quoted(textOf(content, contentLength)) + "}";
  const answer = send("POST", replyUrl(), '{"content-type":"application/json"}', letter);
  if (answer.error == "" && answer.status < 300) return at;
  store<u8>(at, 1);
  storeText(at + 4, answer.error == "" ? "the answer was rejected with " + answer.status.toString() : answer.error);
  return at;
}

export function onStatus(status: i32, message: usize, length: i32, metadata: usize, metadataLength: i32): void {}

export function onShutdown(): void {
  note("the letterbox is closed");
}

function replyUrl(): string {
  const file = bytesOf(REPLY_FILE);
  const at = result(12);
  workspaceRead(addressOf(file), file.byteLength, at);
  return load<u8>(at) == 0 ? "" : textOf(load<usize>(at + 4), load<i32>(at + 8));
}

function response(status: i32, body: string): usize {
  const at = result(24);
  store<u16>(at, status);
  storeText(at + 4, '{"content-type":"application/json"}');
  storeText(at + 12, body);
  return at;
}
