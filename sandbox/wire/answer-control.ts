import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ControlRoute } from '../control/route.ts';
import { diskFault, diskFaultText, faultText } from '../disk-fault.ts';
import { Refusal } from '../refusal.ts';
import type { Service } from '../service.ts';
import { parseJson, readBody } from './json-body.ts';
import { respond } from './respond.ts';

/**
 * One call of the control interface. It has no credentials, so a page in a browser must not be able to reach it from
 * another site: the host must be this machine, and a call that changes something must not carry a foreign origin.
 */
export async function answerControl(
  service: Service,
  route: ControlRoute,
  params: Readonly<Record<string, string | undefined>>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    requireLocalCaller(request);
    const bytes = route.method === 'POST' ? await readBody(request) : Buffer.alloc(0);
    const [, query = ''] = (request.url ?? '').split('?', 2);
    const body = bytes.length === 0 ? {} : parseJson(bytes);
    const answer = await route.handle(service, { params, query: new URLSearchParams(query), body });
    respond(response, { status: 200, body: answer });
  } catch (problem) {
    if (problem instanceof Refusal) {
      respond(response, { status: problem.status, body: { error: problem.message }, headers: problem.headers });
      return;
    }
    process.stderr.write(`sandbox: ${faultText(problem)}\n`);
    const disk = diskFault(problem);
    if (disk !== null) {
      respond(response, { status: 507, body: { error: diskFaultText(disk), disk } });
      return;
    }
    respond(response, { status: 500, body: { error: 'The sandbox failed; its standard error says why' } });
  }
}

function requireLocalCaller(request: IncomingMessage): void {
  const host = (request.headers.host ?? '').replace(/:\d+$/, '');
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(host)) throw new Refusal(403, 'Control is for this machine only');
  const { origin } = request.headers;
  if (origin !== undefined && origin !== `http://${request.headers.host}`) {
    throw new Refusal(403, 'Control is not for pages of other sites');
  }
}
