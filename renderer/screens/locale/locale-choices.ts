/** Languages to choose from, one for each way of writing numbers that is common; the system's may be any other. */
export const LOCALES = [
  'en-US',
  'en-GB',
  'en-CA',
  'en-IN',
  'de-DE',
  'de-CH',
  'es-ES',
  'es-MX',
  'fr-FR',
  'it-IT',
  'ja-JP',
  'nl-NL',
  'pl-PL',
  'pt-BR',
  'sv-SE',
  'ar-EG',
] as const;

const names = new Intl.DisplayNames('en', { type: 'language', languageDisplay: 'standard' });

/** `de-DE` as `German (Germany)`. */
export const localeName = (tag: string): string => names.of(tag) ?? tag;
