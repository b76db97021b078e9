/** When this process began to run specs: from then on the clock of each spec that asks for a day goes on. */
const BEGAN_AT = Date.now();

/**
 * A script that has the time of a page, or of Node, begin on this day and go on as usual. It is in the morning, so that
 * no run gets to the next day.
 *
 * @param day such as 2026-11-29
 */
export function dateScript(day: string): string {
  const aheadMs = Date.parse(`${day}T09:00:00Z`) - BEGAN_AT;
  return `{
    const { now } = Date;
    Date.now = () => now() + ${aheadMs};
    const construct = (target, given, made) => Reflect.construct(target, given.length === 0 ? [Date.now()] : given, made);
    globalThis.Date = new Proxy(Date, { construct });
  }`;
}

/** Node takes the date of a response from the system, and who calls a service corrects the clock by it. */
const RESPONSE_DATE = `
  import { ServerResponse } from 'node:http';
  const { writeHead } = ServerResponse.prototype;
  ServerResponse.prototype.writeHead = function (...given) {
    this.setHeader('date', new Date().toUTCString());
    return writeHead.apply(this, given);
  };`;

/** The words for Node that have a host and all of its threads run the script first. */
export const dateFlags = (day: string): readonly string[] => [
  '--import',
  `data:text/javascript,${encodeURIComponent(dateScript(day) + RESPONSE_DATE)}`,
];
