// Written by `node tools/icons.ts`.
import { createSvgIcon } from "@mui/material/SvgIcon";
import { jsx as _jsx } from "react/jsx-runtime";

export default createSvgIcon(
  /*#__PURE__*/ _jsx("path", {
    d: "m9.17 6 2 2H20v10H4V6zM10 4H4c-1.1 0-1.99.9-1.99 2L2 18c0 1.1.9 2 2 2h16c1.1 0 2-.9 2-2V8c0-1.1-.9-2-2-2h-8z",
  }),
  "FolderOutlined",
);
