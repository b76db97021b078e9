import type { FileGateway, GrantedFile, RefusedFile } from './files.ts';

/** Sends the bytes of a file to the loopback host's spool, which answers with a grant for them. */
export function uploadToHost(page: Window, token: string): FileGateway {
  return {
    grant: async (file, purpose) => {
      try {
        const kept = purpose === undefined ? '' : `&purpose=${purpose}`;
        const answer = await page.fetch(`/spool?name=${encodeURIComponent(file.name)}${kept}`, {
          method: 'PUT',
          headers: { 'x-adslate-token': token, 'content-type': 'application/octet-stream' },
          body: file,
        });
        const body: unknown = await answer.json();
        return readAnswer(body) ?? { error: `http-${answer.status}` };
      } catch (cause) {
        // A file that was moved or is a folder fails while it is read; the host being away fails the same way.
        return { error: cause instanceof Error ? cause.name : 'unreadable' };
      }
    },
  };
}

function readAnswer(body: unknown): GrantedFile | RefusedFile | null {
  if (typeof body !== 'object' || body === null) return null;
  if ('error' in body && typeof body.error === 'string') return { error: body.error };
  if (!('grant' in body && 'fileName' in body && 'bytes' in body)) return null;
  const { grant, fileName, bytes } = body;
  if (typeof grant !== 'string' || typeof fileName !== 'string' || typeof bytes !== 'number') return null;
  return { grant, fileName, bytes };
}
