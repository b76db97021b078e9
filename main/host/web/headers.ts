/**
 * Response headers of the window's files. Nothing is loaded from anywhere else, no script is inline, and the only
 * connection is back to this host. Styles: the component library writes style attributes and one style element
 * for its variables, which is why `style-src` allows inline styles; scripts stay strict.
 */
export function pageHeaders(port: number): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self'",
    "img-src 'self' blob: data:",
    "media-src 'self' blob:",
    `connect-src 'self' ws://127.0.0.1:${port} ws://localhost:${port}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-src 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    "worker-src 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return { 'content-security-policy': policy.join('; '), ...commonHeaders };
}

export const commonHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=(), hid=(), midi=(), payment=()',
  'cache-control': 'no-store',
};
