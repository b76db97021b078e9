const TOKEN_KEY = 'adslate.token';

/**
 * Signs the page in at the loopback host. The start link carries a one-time code in its fragment (older links:
 * in the query), which is exchanged for the page's token and taken out of the address bar at once.
 *
 * @returns null when there is neither a good code nor a token of an earlier load of this tab
 */
export async function signIn(page: Window): Promise<string | null> {
  const code = takeCode(page);
  if (code === null) return page.sessionStorage.getItem(TOKEN_KEY);
  const answer = await page.fetch('/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  if (!answer.ok) return page.sessionStorage.getItem(TOKEN_KEY);
  const body: unknown = await answer.json();
  const token = tokenOf(body);
  if (token !== null) page.sessionStorage.setItem(TOKEN_KEY, token);
  return token;
}

/** Ends every session of the host. What it closes then tells this page that it is signed out. */
export async function signOutEverywhere(page: Window, token: string): Promise<boolean> {
  try {
    const answer = await page.fetch('/sign-out', { method: 'POST', headers: { 'x-adslate-token': token } });
    return answer.ok;
  } catch {
    return false; // The host is away: the caller says so.
  }
}

/** Forgets a token that the host refused, so that the next load does not try it again. */
export function forgetToken(page: Window): void {
  page.sessionStorage.removeItem(TOKEN_KEY);
}

function takeCode(page: Window): string | null {
  const { location } = page;
  const code =
    new URLSearchParams(location.hash.slice(1)).get('code') ?? new URLSearchParams(location.search).get('code');
  if (code !== null) page.history.replaceState(null, '', location.pathname);
  return code;
}

function tokenOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('token' in body)) return null;
  return typeof body.token === 'string' ? body.token : null;
}
