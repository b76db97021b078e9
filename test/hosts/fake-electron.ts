import { EventEmitter } from 'node:events';
import { MessageChannel, type MessagePort } from 'node:worker_threads';

/**
 * As much of Electron as the lines between page and main use, for machines without its runtime. Ports are Node's own,
 * with Electron's way to listen.
 */
class FakePort extends EventEmitter {
  private readonly port: MessagePort;

  constructor(port: MessagePort) {
    super();
    this.port = port;
    port.on('message', (data: unknown) => this.emit('message', { data }));
    port.on('close', () => this.emit('close'));
  }

  start(): void {
    this.port.start();
  }

  postMessage(message: unknown): void {
    this.port.postMessage(message);
  }

  close(): void {
    this.port.close();
  }
}

export class FakeChannel {
  readonly port1: FakePort;
  /** The page's end, as Node's port. */
  readonly port2: MessagePort;

  constructor() {
    const { port1, port2 } = new MessageChannel();
    this.port1 = new FakePort(port1);
    this.port2 = port2;
  }
}

type Answer = (event: unknown, ...args: readonly unknown[]) => Promise<unknown>;

/** Main's ear, with the page's voice: `send` and `invoke` are what a page's preload would call. */
export function fakeIpc() {
  const answers = new Map<string, Answer>();
  const heard = new EventEmitter();
  return {
    ipcMain: {
      handle: (channel: string, answer: Answer) => void answers.set(channel, answer),
      on: (channel: string, listener: (...args: readonly unknown[]) => void) => heard.on(channel, listener),
    },
    send: (channel: string, event: unknown, ...args: readonly unknown[]) => heard.emit(channel, event, ...args),
    invoke: async (channel: string, event: unknown, ...args: readonly unknown[]): Promise<unknown> =>
      answers.get(channel)?.(event, ...args),
  };
}

export interface FakeSender {
  readonly id: number;
  readonly mainFrame: { readonly url: string };
  readonly posted: { readonly channel: string; readonly ports: readonly MessagePort[] }[];
  getURL(): string;
  postMessage(channel: string, message: unknown, ports: readonly MessagePort[]): void;
}

/** A page that shows the address, as main sees the sender of a message. */
export function aSender(id: number, address: string): FakeSender {
  const posted: { channel: string; ports: readonly MessagePort[] }[] = [];
  return {
    id,
    mainFrame: { url: address },
    posted,
    getURL: () => address,
    postMessage: (channel, _message, ports) => void posted.push({ channel, ports }),
  };
}
