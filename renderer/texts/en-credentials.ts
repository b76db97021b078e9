/** Texts about where keys and tokens are kept: what each way protects from, and from whom it does not. */
export const enCredentials = {
  title: 'Keys and tokens',
  intro:
    'Where Adslate keeps the key and the token of each connected account. They are never shown and never in clear.',
  now: 'Now',
  open: {
    keyring:
      'In the key store of this computer. Safe from other users and on a stolen disk, not from programs you run.',
    passphrase: 'Sealed with your passphrase, which is open now. Lock it, or close Adslate, to seal them again.',
    memory: 'In memory only. Nothing is on the disk, and Adslate asks for key and token at each start.',
  },
  locked: 'Sealed with your passphrase. Type it to send, refresh or connect; drafting goes on without it.',
  refused: {
    'store-changed':
      'The key store of this computer is another one than before. Start under the old desktop to open it, or choose anew below and connect each account again. Nothing was deleted.',
    'store-closed':
      'The key store of this computer is closed, or no longer has the key of Adslate. Unlock it and start again, or choose anew below. Nothing was deleted.',
    damaged:
      'The file that says how they are kept is damaged. Choose anew below; what is there is set aside, not deleted.',
  },
  change: 'Keep them from now on',
  grade: {
    keyring: 'In the key store of this computer',
    passphrase: 'Sealed with a passphrase',
    memory: 'In memory only, asked for at each start',
  },
  passphrase: 'Passphrase',
  newPassphrase: (least: number) => `New passphrase, ${least} characters or more`,
  repeat: 'The same once more',
  different: 'The two are not the same.',
  short: (least: number) => `Use ${least} characters or more.`,
  forgotten: 'There is no way to open them without the passphrase. If it is lost, connect each account again.',
  unlock: 'Unlock',
  lock: 'Lock now',
  keep: 'Keep them so',
  close: 'Close',
  changed: 'Keys and tokens are kept in the chosen way from now on.',
} as const;
