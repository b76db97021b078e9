import { connect } from 'node:net';

/** Sends bytes as they are and reads the answer until the host closes or the time is over. */
export function rawRequest(port: number, text: string | Buffer, limitMs = 3000): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    const timer = setTimeout(() => socket.destroy(), limitMs);
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      answer += chunk;
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // A host that refuses while we still write resets the connection; what it said before is the answer.
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(answer);
    });
  });
}

/** The status of an answer; 0 for a connection that was closed without a word. */
export const statusOf = (answer: string): number => Number(/^HTTP\/1\.[01] (\d{3})/.exec(answer)?.[1] ?? '0');

/** One request of header lines, closed by the host after its answer. */
export const lines = (...parts: readonly string[]): string => `${[...parts, 'Connection: close', '', ''].join('\r\n')}`;
