/** Texts about the proof of a connection, step by step. */
export const enConnect = {
  title: 'Steps of the check',
  steps: {
    addresses: 'The addresses are right',
    key: 'The private key opens and signs',
    token: 'The access token can be used',
    answer: 'The service answers',
    clock: 'The clock of this computer is right',
    access: 'The key and the token have access to this advertiser',
  },
  states: { done: 'holds', failed: 'fails', open: 'not tried', running: 'checking' },
} as const;
