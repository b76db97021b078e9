/** Texts about where keys and tokens are kept: what each way protects from, and from whom it does not. */
export const enCredentials = {
  title: 'Credentials',
  intro:
    'How Adslate stores the key and token of each connected account. They are never shown and never stored unencrypted.',
  now: 'Now',
  open: {
    keyring: 'In the system keychain. Protected from other users and on a stolen disk, but not from programs you run.',
    passphrase: 'Encrypted with your passphrase and unlocked. To lock them again, select Lock now or close Adslate.',
    memory: 'In memory only. Nothing is saved to disk, and Adslate asks for the key and token each time it starts.',
  },
  locked:
    'Encrypted with your passphrase and locked. Enter the passphrase to sync, refresh or connect. You can keep editing without it.',
  refused: {
    'store-changed':
      'The system keychain is not the same as before. Start Adslate in the previous desktop session to unlock it, or choose a storage option below and reconnect each account. Nothing was deleted.',
    'store-closed':
      "The system keychain is locked or no longer has Adslate's key. Unlock it and restart Adslate, or choose a storage option below. Nothing was deleted.",
    damaged:
      'The file that records how credentials are stored is damaged. Choose a storage option below. The old data is kept.',
  },
  change: 'Storage',
  grade: {
    keyring: 'System keychain',
    passphrase: 'Encrypted with a passphrase',
    memory: 'In memory only (asks at each start)',
  },
  passphrase: 'Passphrase',
  newPassphrase: (least: number) => `New passphrase (at least ${least} characters)`,
  repeat: 'Repeat passphrase',
  different: 'The passphrases do not match.',
  short: (least: number) => `Use at least ${least} characters.`,
  forgotten: "Credentials can't be recovered without the passphrase. If you lose it, reconnect each account.",
  unlock: 'Unlock',
  lock: 'Lock now',
  keep: 'Save',
  close: 'Close',
  changed: 'Credential storage changed.',
} as const;
