/**
 * An HTTP-level refusal: the whole call is answered with one status and one message, and nothing of it is kept.
 * It is thrown, because leaving through the transaction is what undoes the work of the elements before it; the
 * only catches are in `wire/answer-call.ts` and, for the control interface, `wire/answer-control.ts`.
 */
export class Refusal extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.headers = headers;
  }
}
