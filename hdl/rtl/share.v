// Eq. 1 of the old registers, with one of three dividers (contention_point.v says what each means
// for FRPs). `next_*` are the registers as this cycle leaves them, from which the array divides;
// `old_*` as the last one left them, from which the others do. In the cycle in which `come` is high
// `value` is the share.
module share #(
    parameter RATE = 12,
    parameter COUNT = 7,
    parameter [RATE-1:0] CAPACITY = 4095,
    parameter [RATE-1:0] SHAREABLE = 3890,
    parameter FLOORS = 1,
    parameter DIVIDER = 0,
    parameter STAGES = 4
) (
    input  wire             clk,
    input  wire             reset,
    // Divide: the registers have changed.
    input  wire             divide,
    input  wire [COUNT-1:0] next_m,
    input  wire [   RATE:0] next_b,
    input  wire [ RATE-1:0] next_b_max,
    input  wire [COUNT-1:0] next_elsewhere,
    input  wire [COUNT-1:0] old_m,
    input  wire [   RATE:0] old_b,
    input  wire [ RATE-1:0] old_b_max,
    input  wire [COUNT-1:0] old_elsewhere,
    output wire             come,
    output wire [ RATE-1:0] value
);
  wire [RATE-1:0] dividend;
  wire [COUNT:0] divisor;
  wire [COUNT:0] flows;
  // Idle has no flows: an equal share of it is all.
  wire [COUNT:0] flows_or_one = flows == 0 ? {{COUNT{1'b0}}, 1'b1} : flows;
  wire [RATE-1:0] quotient;
  wire [RATE-1:0] equal;
  localparam IS_ARRAY = DIVIDER == 0;

  share_terms #(
      .RATE(RATE),
      .COUNT(COUNT),
      .CAPACITY(CAPACITY),
      .SHAREABLE(SHAREABLE)
  ) terms (
      .m(IS_ARRAY ? next_m : old_m),
      .b(IS_ARRAY ? next_b : old_b),
      .b_max(IS_ARRAY ? next_b_max : old_b_max),
      .elsewhere(IS_ARRAY ? next_elsewhere : old_elsewhere),
      .dividend(dividend),
      .divisor(divisor),
      .flows(flows)
  );

  share_limits #(
      .RATE(RATE),
      .SHAREABLE(SHAREABLE)
  ) limits (
      .quotient(quotient),
      .equal(equal),
      .share(value)
  );

  generate
    if (DIVIDER == 0) begin : array
      divide_array #(
          .WIDTH  (RATE),
          .DIVISOR(COUNT + 1)
      ) eq1 (
          .dividend(dividend),
          .divisor (divisor),
          .quotient(quotient)
      );
      if (FLOORS) begin : floor
        divide_array #(
            .WIDTH  (RATE),
            .DIVISOR(COUNT + 1)
        ) equally (
            .dividend(SHAREABLE),
            .divisor (flows_or_one),
            .quotient(equal)
        );
      end else begin : letter
        assign equal = {RATE{1'b0}};
      end
      assign come = divide;
    end else if (DIVIDER == 1) begin : pipeline
      divide_pipeline #(
          .WIDTH  (RATE),
          .DIVISOR(COUNT + 1),
          .STAGES (STAGES)
      ) eq1 (
          .clk(clk),
          .dividend(dividend),
          .divisor(divisor),
          .quotient(quotient)
      );
      if (FLOORS) begin : floor
        divide_pipeline #(
            .WIDTH  (RATE),
            .DIVISOR(COUNT + 1),
            .STAGES (STAGES)
        ) equally (
            .clk(clk),
            .dividend(SHAREABLE),
            .divisor(flows_or_one),
            .quotient(equal)
        );
      end else begin : letter
        assign equal = {RATE{1'b0}};
      end
      reg [STAGES:0] under_way;
      always @(posedge clk) begin
        if (reset) under_way <= {(STAGES + 1) {1'b0}};
        else under_way <= {under_way[STAGES-1:0], divide};
      end
      assign come = under_way[STAGES];
    end else begin : serial
      wire is_busy;
      reg  is_stale;
      wire load = ~is_busy & is_stale;
      always @(posedge clk) begin
        if (reset) is_stale <= 1'b0;
        else if (divide) is_stale <= 1'b1;
        else if (load) is_stale <= 1'b0;
      end
      divide_serial #(
          .WIDTH  (RATE),
          .DIVISOR(COUNT + 1)
      ) eq1 (
          .clk(clk),
          .reset(reset),
          .load(load),
          .dividend(dividend),
          .divisor(divisor),
          .is_busy(is_busy),
          .done(come),
          .quotient(quotient)
      );
      if (FLOORS) begin : floor
        wire unused_busy, unused_done;
        divide_serial #(
            .WIDTH  (RATE),
            .DIVISOR(COUNT + 1)
        ) equally (
            .clk(clk),
            .reset(reset),
            .load(load),
            .dividend(SHAREABLE),
            .divisor(flows_or_one),
            .is_busy(unused_busy),
            .done(unused_done),
            .quotient(equal)
        );
      end else begin : letter
        assign equal = {RATE{1'b0}};
      end
    end
  endgenerate

`ifdef FORMAL
  always @* assert (divisor != 0);
`endif
endmodule
