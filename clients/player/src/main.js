/** The page that the service serves: `?api=` names another service than the one the page came from. */

import "./element.js";

const player = document.querySelector("lecture-player");
const api = new URLSearchParams(location.search).get("api") ?? document.querySelector("meta[name=blockwalk-api]")?.getAttribute("content");
if (api) player?.setAttribute("api", api);
