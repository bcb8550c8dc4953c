/** Functions of the host, with the parameters of the canonical ABI. The build gives the imports their names. */
export declare function log(level: i32, at: usize, length: i32): void;
export declare function httpRequest(
  method: usize, methodLength: i32, url: usize, urlLength: i32, headers: usize, headersLength: i32,
  hasBody: i32, body: usize, bodyLength: i32, hasTimeout: i32, timeout: i32, result: usize,
): void;
export declare function workspaceRead(path: usize, length: i32, result: usize): void;
export declare function workspaceWrite(
  path: usize, length: i32, content: usize, contentLength: i32, result: usize,
): void;
export declare function emitMessage(
  user: usize, userLength: i32, hasName: i32, name: usize, nameLength: i32, content: usize, contentLength: i32,
  hasThread: i32, thread: usize, threadLength: i32, metadata: usize, metadataLength: i32,
): void;
