/** What all examples share: a client of the service, and a server for the example's own page. */
import { BerthClient } from 'berth/client';
import express from 'express';

const { BERTH_URL, BERTH_API_KEY, PORT = '3000' } = process.env;

export const berth = new BerthClient({ url: BERTH_URL, apiKey: BERTH_API_KEY });

/** Where the example can be reached. */
export const address = `http://localhost:${PORT}`;

/** Serves the files of `folder`; the API of the example is added to what is returned. */
export function serve(folder) {
  const app = express();
  // What is signed is the text of a body.
  const verify = (request, response, bytes) => (request.text = bytes.toString());
  app.use(express.static(folder), express.static(new URL('.', import.meta.url).pathname), express.json({ verify }));
  // The service has the SDK; the package has it as berth/web.
  app.get('/sdk.js', (request, response) => response.redirect(`${BERTH_URL}/sdk.js`));
  app.listen(Number(PORT), () => console.log(`Open ${address}/`));
  return app;
}
