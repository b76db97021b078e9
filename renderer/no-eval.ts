import { config } from 'zod';

/**
 * The content policy forbids making code from text, and zod tries it as soon as a schema is built. This is the
 * one file that works at import time: it has to be the first import of `main.tsx`.
 */
config({ jitless: true });
