/**
 * Click URLs of brand profiles in the form the service stores (document, "SBA profile content rules"): `:` is `%3A`,
 * `+` is `%20`, a broken bar is `%7C%7C`, and no `typeahead=` in the query. The colon of the scheme stays (wire
 * shapes, section 5). Encoded parts are never encoded again.
 */
export interface Rewrite {
  readonly from: string;
  readonly to: string;
  readonly times: number;
}

export interface CanonicalUrl {
  readonly url: string;
  /** The changes, in the order of the rules; empty when the URL was canonical. */
  readonly rewrites: readonly Rewrite[];
}

const SHAPE = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([^/?#\\]*)([\s\S]*)$/;
const AUTHORITY = /^(?:([^@]*)@)?(\[[^\]]*\]|[^:]*)(?::(\d*))?$/;

export type UrlParts = NonNullable<ReturnType<typeof splitUrl>>;

/** Splits an absolute address; null when it has no scheme or no host. */
export function splitUrl(text: string) {
  const shape = SHAPE.exec(text.trim());
  const authority = AUTHORITY.exec(shape?.[2] ?? '');
  const host = authority?.[2] ?? '';
  if (shape === null || authority === null || host === '') return null;
  const scheme = (shape[1] ?? '').toLowerCase();
  return {
    scheme,
    userInfo: authority[1] ?? null,
    /** Lower case, without port and without a final dot's meaning being guessed. */
    host: host.toLowerCase(),
    port: authority[3] ?? null,
    /** Path, query and fragment: all that follows the host. */
    rest: shape[3] ?? '',
  };
}

/** The canonical form of a URL with all its changes; text without a host only loses its outer spaces. */
export function canonicalClickUrl(raw: string): CanonicalUrl {
  const trimmed = raw.toWellFormed().trim();
  const parts = splitUrl(trimmed);
  if (parts === null) return { url: trimmed, rewrites: [] };
  const rewrites: Rewrite[] = [];
  const rewrite = (text: string, pattern: RegExp, from: string, to: string): string => {
    let times = 0;
    const result = text.replace(pattern, () => {
      times++;
      return to;
    });
    if (times > 0) rewrites.push({ from, to, times });
    return result;
  };
  let rest = withoutTypeahead(parts.rest, rewrites);
  rest = rewrite(rest, /:/g, ':', '%3A');
  rest = rewrite(rest, /\+/g, '+', '%20');
  rest = rewrite(rest, /¦|%C2%A6|\|\|/gi, '¦', '%7C%7C');
  rest = rewrite(rest, /\|/g, '|', '%7C');
  rest = rewrite(rest, /\s/gu, ' ', '%20');
  rest = encodeForeign(rest, rewrites);
  const authority = trimmed.slice(trimmed.indexOf('://') + 3, trimmed.length - parts.rest.length).toLowerCase();
  return { url: `${parts.scheme}://${authority}${rest}`, rewrites };
}

/** Removes every `typeahead=...` parameter of the query, and the question mark if nothing else is left. */
function withoutTypeahead(rest: string, rewrites: Rewrite[]): string {
  // A question mark after the `#` belongs to the fragment.
  const hashAt = rest.indexOf('#');
  const end = hashAt < 0 ? rest.length : hashAt;
  const queryAt = rest.indexOf('?');
  if (queryAt < 0 || queryAt > end) return rest;
  const params = rest.slice(queryAt + 1, end).split('&');
  const kept = params.filter((param) => !/^typeahead(=|$)/i.test(param));
  if (kept.length === params.length) return rest;
  rewrites.push({ from: 'typeahead=', to: '', times: params.length - kept.length });
  const query = kept.length === 0 ? '' : `?${kept.join('&')}`;
  return rest.slice(0, queryAt) + query + rest.slice(end);
}

/** Encodes characters not allowed in a URL: non-ASCII letters, quotes, angle brackets, a lone `%`. */
function encodeForeign(rest: string, rewrites: Rewrite[]): string {
  return rest.replace(/%(?![0-9A-Fa-f]{2})|["<>\\^`{}]|\P{ASCII}/gu, (character) => {
    const encoded = character === '%' ? '%25' : encodeURIComponent(character);
    const known = rewrites.findIndex((r) => r.from === character);
    const times = (rewrites[known]?.times ?? 0) + 1;
    if (known >= 0) rewrites[known] = { from: character, to: encoded, times };
    else rewrites.push({ from: character, to: encoded, times });
    return encoded;
  });
}
