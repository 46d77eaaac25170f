"""Chinese."""

from __future__ import annotations

from perdure.domain.languages.language import Language

CHINESE = Language(
    name="zh",
    common="",
    copulas="是 为 為",
    verbs="使用 采用 用 叫 住在 在 喜欢 喜歡 讨厌 討厭 需要 监听 属于",
    plain="我们的 我們的 我们 我們 我的 我 你们 请 使用 采用 用 在 是 为 的 了 要 会 把 被 从 到 成 和 与 现在",
    lasting="叫 住在 在 监听",
    likes="喜欢 喜歡 爱",
    dislikes="讨厌 討厭",
    articles="我们的 我的 我們的",
    adverbs="现在 目前 已经 都 一直",
    vague="这 那 它 他 她",
    frames="",
    unique=r".{0,4}",
    openings=r"请|请记住|记住|从现在起|现在|更正|我们决定",
    reasons=r"因为|以便|所以",
    negation=r"不|没有|沒有|别(?:再|用|把)|勿|无|禁止",
    change=r"现在|如今|改为|改成|改用|换成|換成|不再|迁移|升级|而不是|改名|新的|最近|取代",
    addition=r"也|还|還|另外|以及|同时",
    condition=r"如果|当.{1,20}时|除非|只在|仅在|测试环境|生产环境|本地",
    doubt=r"也许|可能|或许|大概|假如|要是|考虑",
    report=r"据说|他说|她说|说：|认为",
    past=r"以前|过去|曾经|直到|去年|原来",
    weekdays=r"(?:周|星期|礼拜)[一二三四五六日天]",
    spans=r"毫秒|秒|分钟|小时|天|周|个月|年",
    sizes=r"字符|行|列",
    switches="开启 关闭 启用 禁用 必须 可选",
    replacements=(
        r"从OLD(?:迁移|迁|换|改|切换|升级|转|搬|移)(?:到|成|为|至|用)了?NEW",
        r"用NEW[，,]?(?:而不是|代替|取代|不要用|不用|别用)OLD",
        r"(?:不再|不要再|别再)(?:使用|用|喜欢|喝|住在)?OLD(?:[，,](?:现在|改)?用NEW)?",
        r"OLD(?:改名为|改为|换成了?|改成了?|替换为)NEW",
    ),
    blanks=False,
)
