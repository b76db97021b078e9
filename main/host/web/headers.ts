/**
 * What the window's page may do, in both hosts: nothing is loaded from anywhere else, no script or style sheet is
 * inline, no text becomes markup, and the only connection is back to the host.
 *
 * @param connect sources for `connect-src`
 */
export const pagePolicy = (connect: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' blob:",
    "media-src 'self' blob:",
    `connect-src ${connect}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-src 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    "worker-src 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

/** Response headers of the window's files on loopback. */
export const pageHeaders = (port: number): Readonly<Record<string, string>> => ({
  'content-security-policy': pagePolicy(`'self' ws://127.0.0.1:${port} ws://localhost:${port}`),
  ...commonHeaders,
});

/** What a browser offers a page and ours never asks for: all but the clipboard, and the full screen of a film. */
const UNUSED = [
  'accelerometer',
  'browsing-topics',
  'camera',
  'captured-surface-control',
  'compute-pressure',
  'digital-credentials-create',
  'digital-credentials-get',
  'display-capture',
  'encrypted-media',
  'gamepad',
  'geolocation',
  'gyroscope',
  'hid',
  'identity-credentials-get',
  'idle-detection',
  'keyboard-map',
  'language-detector',
  'language-model',
  'local-fonts',
  'local-network-access',
  'magnetometer',
  'microphone',
  'midi',
  'on-device-speech-recognition',
  'otp-credentials',
  'payment',
  'private-state-token-issuance',
  'private-state-token-redemption',
  'publickey-credentials-create',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'speaker-selection',
  'storage-access',
  'summarizer',
  'sync-xhr',
  'translator',
  'usb',
  'window-management',
  'xr-spatial-tracking',
] as const;

export const commonHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': UNUSED.map((feature) => `${feature}=()`).join(', '),
  'cache-control': 'no-store',
};
